import { readFileSync } from 'node:fs';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { addStatic, type StaticFile, sendStatic } from '@svc/http/documents/static-file.ts';
import { hashSecret, isWellFormedSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { insertSetupLink, isSetupLinkAlive } from '@svc/postgres/people/setup.ts';
import type { FastifyInstance } from 'fastify';

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

const pageOf = (name: string): StaticFile => ({ type: 'text/html; charset=utf-8', bytes: read(name), policy: POLICY });

const isAlive = async (identity: Database, token: unknown): Promise<boolean> =>
  typeof token === 'string' &&
  isWellFormedSecret(SECRET_PREFIXES.setup_link, token) &&
  (await isSetupLinkAlive(identity, hashSecret(token)));

/** The page behind the one-time link of a first start. It signs up through the public endpoint and has no power of its own. */
export const addSetupPage = (app: FastifyInstance, identity: Database): void => {
  const [page, gone] = [pageOf('setup.html'), pageOf('gone.html')];
  app.get('/setup', async (request, reply) => {
    const { token } = request.query as { readonly token?: unknown };
    return (await isAlive(identity, token)) ? sendStatic(reply, 200, page) : sendStatic(reply, 410, gone);
  });
  addStatic(app, '/setup/app.js', { type: 'text/javascript; charset=utf-8', bytes: read('app.js') });
  addStatic(app, '/setup/style.css', { type: 'text/css; charset=utf-8', bytes: read('style.css') });
};

/** A link for whoever started the service, as long as nobody has signed up; null afterwards. Only its hash is kept. */
export const newSetupUrl = async (identity: Database, baseUrl: string): Promise<string | null> => {
  const token = newSecretToken(SECRET_PREFIXES.setup_link);
  return (await insertSetupLink(identity, hashSecret(token))) ? `${baseUrl}/setup?token=${token}` : null;
};
