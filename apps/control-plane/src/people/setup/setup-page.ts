import { readFileSync } from 'node:fs';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { addStatic, type StaticFile, sendStatic } from '@svc/http/documents/static-file.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { insertSetupLink } from '@svc/postgres/people/setup.ts';
import type { FastifyInstance } from 'fastify';
import { isSetupTokenAlive } from './setup-token.ts';

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

/** The page behind the one-time link of a first start. It signs up through the public endpoint, with the token of the link. */
export const addSetupPage = (app: FastifyInstance, identity: Database): void => {
  const [page, gone] = [pageOf('setup.html'), pageOf('gone.html')];
  app.get('/setup', async (request, reply) => {
    const { token } = request.query as { readonly token?: unknown };
    return (await isSetupTokenAlive(identity, token)) ? sendStatic(reply, 200, page) : sendStatic(reply, 410, gone);
  });
  addStatic(app, '/setup/app.js', { type: 'text/javascript; charset=utf-8', bytes: read('app.js') });
  addStatic(app, '/setup/style.css', { type: 'text/css; charset=utf-8', bytes: read('style.css') });
};

/** A link for whoever started the service, as long as nobody has signed up; null afterwards. Only its hash is kept. */
export const newSetupUrl = async (identity: Database, baseUrl: string): Promise<string | null> => {
  const token = newSecretToken(SECRET_PREFIXES.setup_link);
  return (await insertSetupLink(identity, hashSecret(token))) ? `${baseUrl}/setup?token=${token}` : null;
};
