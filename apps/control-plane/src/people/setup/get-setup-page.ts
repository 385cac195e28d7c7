import { readFileSync } from 'node:fs';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { HTML_TYPE, type Page } from '@svc/http/wires/page.ts';
import type { ControlDeps } from '../../deps.ts';
import { isSetupTokenAlive } from './links/setup-token.ts';

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

/** The page behind the one-time link of a first start. It signs up through the public endpoint, with the token of the link. */
export const getSetupPage: Handler<Endpoints['getSetupPage'], ControlDeps> = async ({ asset, query }, { identity }) => {
  if (asset !== undefined) return ASSETS[asset];
  return (await isSetupTokenAlive(identity, query.token)) ? PAGE : GONE;
};
