import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Members = Readonly<Record<string, unknown>>;

/** An OpenID Connect provider on this machine that responds as the test says, truthfully or not. */
export type LyingProvider = {
  readonly issuer: string;
  /** Signs with its key unless the header names another algorithm. */
  readonly idToken: (claims: Members, header?: Members, by?: KeyObject) => string;
  /** Sets the response of a path; a path without one is 404. */
  readonly answer: (path: string, how: ProviderReply) => void;
  /** Publishes another key than the one it signs with, or that one again. */
  readonly publish: (...keys: readonly KeyObject[]) => void;
  readonly key: KeyObject;
  readonly requests: string[];
  readonly close: () => Promise<void>;
};

export type ProviderReply = Members | ((response: ServerResponse) => void);

export const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signed = (claims: Members, header: Members, key: KeyObject): string => {
  const text = `${base64(header)}.${base64(claims)}`;
  const signature = header.alg === 'none' ? '' : createSign('sha256').update(text).sign(key).toString('base64url');
  return `${text}.${signature}`;
};

export const startLyingProvider = async (): Promise<LyingProvider> => {
  const key = newKey();
  const requests: string[] = [];
  const answers = new Map<string, ProviderReply>();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    requests.push(path);
    const how = answers.get(path);
    if (typeof how === 'function') return how(response);
    response.writeHead(how === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(how ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publish = (...keys: readonly KeyObject[]) =>
    void answers.set('/jwks', { keys: keys.map((each) => ({ ...getPublic(each), alg: 'RS256', use: 'sig' })) });
  answers.set('/.well-known/openid-configuration', getMetadata(issuer));
  publish(key);
  return {
    issuer,
    key,
    requests,
    publish,
    idToken: (claims, header = { alg: 'RS256' }, by = key) => signed(claims, header, by),
    answer: (path, how) => void answers.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const getPublic = (key: KeyObject): Members => {
  const { kty, n, e } = key.export({ format: 'jwk' });
  return { kty, n, e };
};

export const getMetadata = (issuer: string): Members => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
});
