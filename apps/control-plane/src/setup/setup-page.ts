import { readFileSync } from 'node:fs';
import { SECRET_PREFIXES } from '@svc/contract/ids.ts';
import { hashSecret, isWellFormedSecret, newSecretToken } from '@svc/keyring/secret-token.ts';
import type { Database } from '@svc/postgres/connect.ts';
import { insertSetupLink, isSetupLinkAlive } from '@svc/postgres/setup-links.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const read = (name: string): string => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8');

const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page);

const isAlive = async (identity: Database, token: unknown): Promise<boolean> =>
  typeof token === 'string' &&
  isWellFormedSecret(SECRET_PREFIXES.setup_link, token) &&
  (await isSetupLinkAlive(identity, hashSecret(token)));

/** The page behind the one-time link of a first start. It signs up through the public endpoint and has no power of its own. */
export const addSetupPage = (app: FastifyInstance, identity: Database): void => {
  const [page, gone, script, style] = [read('setup.html'), read('gone.html'), read('app.js'), read('style.css')];
  app.get('/setup', async (request, reply) => {
    const { token } = request.query as { readonly token?: unknown };
    return (await isAlive(identity, token)) ? sendPage(reply, 200, page) : sendPage(reply, 410, gone);
  });
  app.get('/setup/app.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  app.get('/setup/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
};

/** A link for whoever started the service, as long as nobody has signed up; null afterwards. Only its hash is kept. */
export const newSetupUrl = async (identity: Database, baseUrl: string): Promise<string | null> => {
  const token = newSecretToken(SECRET_PREFIXES.setup_link);
  return (await insertSetupLink(identity, hashSecret(token))) ? `${baseUrl}/setup?token=${token}` : null;
};
