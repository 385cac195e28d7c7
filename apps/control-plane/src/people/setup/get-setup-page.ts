import { readFileSync } from 'node:fs';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { HTML_TYPE, type Page } from '@svc/http/wires/page.ts';
import { hashSecret, isWellFormedSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { isSetupLinkAlive } from '@svc/postgres/people/setup.ts';
import type { ControlDeps } from '../../deps.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const read = (name: string): Buffer => readFileSync(new URL(`page/${name}`, import.meta.url));

const pageOf = (name: string): Page => ({ type: HTML_TYPE, bytes: read(name), policy: POLICY });

const PAGE = pageOf('setup.html');
const GONE: Page = { ...pageOf('gone.html'), status: 410 };

const ASSETS: Readonly<Record<Endpoints['getSetupPage']['assets'][number], Page>> = {
  '/setup/app.js': { type: 'text/javascript; charset=utf-8', bytes: read('app.js') },
  '/setup/style.css': { type: 'text/css; charset=utf-8', bytes: read('style.css') },
};

const isAlive = async (identity: Database, token: unknown): Promise<boolean> =>
  typeof token === 'string' &&
  isWellFormedSecret(SECRET_PREFIXES.setup_link, token) &&
  (await isSetupLinkAlive(identity, hashSecret(token)));

/** The page behind the one-time link of a first start. It signs up through the public endpoint and has no power of its own. */
export const getSetupPage: Handler<Endpoints['getSetupPage'], ControlDeps> = async ({ asset, query }, { identity }) => {
  if (asset !== undefined) return ASSETS[asset];
  return (await isAlive(identity, query.token)) ? PAGE : GONE;
};
