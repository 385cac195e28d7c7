import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { listEncodings, newCanary } from '@svc/testing/logs/find-canaries.ts';
import { startTokenServer, type TokenServer } from '@svc/testing/peers/token-server.ts';
import { newBrowser } from '@svc/testing/people/browser.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';

/** Input of the OAuth endpoints. */
export type Doors = {
  readonly controlUrl: string;
  /** Session with a step-up. */
  readonly token: string;
  readonly control: (method: string, path: string, body?: unknown) => Promise<TestResponse>;
  /** Builds the body of a credential without its secret. */
  readonly bodyFor: (more: object) => object;
  /** Creates a tool that is called with a credential, by the name that the credential permits. */
  readonly newTool: (name: string, credentialId: string) => Promise<void>;
  readonly act: (tool: string) => Promise<TestResponse>;
  readonly testCall: (credentialId: string) => Promise<TestResponse>;
};

/** Secrets that cannot be canaries: each line and number of a private key, and the verifier of a connection in the browser. */
export type OtherSecrets = readonly string[];

const JSON_TYPE = { 'content-type': 'application/json' };

const newKey = () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const lines = pem.split('\n').filter((line) => line !== '' && !line.startsWith('-'));
  return { pem, written: [...lines, d, Buffer.from(d, 'base64url').toString('hex'), Buffer.from(d, 'base64url').toString('base64')] };
};

/** Makes a token server issue canaries, after an error that echoes everything it was sent. */
const tellingServer = (server: TokenServer): void => {
  let asked = 0;
  server.lie = (response, _grant, { form, authorization }) => {
    asked += 1;
    const sent = [...form.values(), authorization ?? ''].flatMap(listEncodings).join(' ');
    if (asked % 2 === 1)
      return void response.writeHead(500, JSON_TYPE).end(JSON.stringify({ error: sent, error_description: sent, error_uri: sent }));
    const tokens = { access_token: newCanary(), refresh_token: newCanary(), id_token: newCanary(), scope: sent };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...tokens, token_type: 'Bearer', expires_in: 3_600 }));
  };
};

const connectInBrowser = async ({ controlUrl, token }: Doors, credentialId: string): Promise<void> => {
  const begin = async (browser: ReturnType<typeof newBrowser>) => {
    const headers = { authorization: `Bearer ${token}`, ...JSON_TYPE };
    const response = await browser.ask(`${controlUrl}/v1/credentials/${credentialId}/connect`, { method: 'POST', headers, body: '{}' });
    return new URL(((await response.json()) as { authorization_url: string }).authorization_url);
  };
  const comeBack = async (browser: ReturnType<typeof newBrowser>, start: URL, state: string) => {
    const returned = new URLSearchParams({ code: newCanary(), state });
    return (await browser.ask(`${start.searchParams.get('redirect_uri')}?${returned}`)).status;
  };
  const browser = newBrowser();
  const start = await begin(browser);
  const state = start.searchParams.get('state') ?? '';
  assert.equal(await comeBack(newBrowser(), start, state), 410, 'another browser');
  assert.equal(await comeBack(browser, start, newCanary()), 410, 'another state');
  // Sent once; the server echoes what it was sent.
  assert.equal(await comeBack(browser, start, state), 503);
  const again = await begin(browser);
  assert.equal(await comeBack(browser, again, again.searchParams.get('state') ?? ''), 200);
};

/** Sends secrets of OAuth through every endpoint that takes or returns them, as canaries where possible. */
export const sendOauthCanaries = async (doors: Doors): Promise<OtherSecrets> => {
  const server = await startTokenServer();
  try {
    tellingServer(server);
    const { control, bodyFor, newTool, act, testCall } = doors;
    const terms = { grant: 'REFRESH_TOKEN', token_url: server.url, client_id: 'the-service', scope: 'orders' };
    const key = newKey();
    const kinds: readonly object[] = [
      { oauth: terms, client_secret: newCanary(), refresh_token: newCanary() },
      { oauth: { ...terms, client_authentication: 'CLIENT_SECRET_POST' }, client_secret: newCanary(), refresh_token: newCanary() },
      { oauth: { ...terms, grant: 'CLIENT_CREDENTIALS' }, client_secret: newCanary() },
      { oauth: { ...terms, client_authentication: 'PRIVATE_KEY_JWT' }, private_key: key.pem, refresh_token: newCanary() },
      { oauth: { ...terms, authorization_url: `${server.url}/authorize` }, client_secret: newCanary() },
      { oauth: terms, client_secret: [newCanary()], refresh_token: { [newCanary()]: newCanary() } },
      { oauth: { ...terms, client_secret: newCanary() }, private_key: `${key.pem}${newCanary()}`, refresh_token: newCanary() },
    ];
    for (const [at, kind] of kinds.entries()) {
      const name = `oauth.sings${at}`;
      const made = await control('POST', '/v1/credentials', bodyFor({ ...kind, secret: undefined, tools: [name] }));
      assert.equal(made.status, at < 5 ? 201 : 400, made.text);
      if (made.status !== 201) continue;
      const { id } = made.json;
      if (at === 4) await connectInBrowser(doors, id);
      await newTool(name, id);
      await testCall(id);
      await act(name);
      if (at === 0) {
        const rotated = await control('POST', `/v1/credentials/${id}/rotate`, { client_secret: newCanary(), refresh_token: newCanary() });
        assert.equal(rotated.status, 200, rotated.text);
        await act(name);
      }
    }
    const verifiers = server.requests.flatMap(({ form }) => form.get('code_verifier') ?? []);
    const assertions = server.requests.flatMap(({ form }) => form.get('client_assertion') ?? []);
    assert.ok(verifiers.length === 2 && assertions.length > 0);
    return [...key.written, ...verifiers, ...assertions];
  } finally {
    await server.close();
  }
};
