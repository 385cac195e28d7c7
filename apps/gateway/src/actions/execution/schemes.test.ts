import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CREDENTIAL_SCHEMES, type CredentialScheme, type Placement } from '@svc/contract/credentials/credentials.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { CLIENT_SECRET, OAUTH_ENV } from '@svc/testing/agents/oauth-scene.ts';
import { listEncodings } from '@svc/testing/logs/find-canaries.ts';
import { type KeyedRequest, type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { startTokenServer, type TokenServer } from '@svc/testing/peers/token-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
let governed: Governed;
let service: KeyedService;
let tokenServer: TokenServer;
before(async () => {
  [planes, service, tokenServer] = await Promise.all([leasePlanes({ env: OAUTH_ENV }), startKeyedService(), startTokenServer()]);
  database = await planes.database.client();
  governed = await newGoverned(planes);
});
after(async () => {
  await Promise.all([database.end(), service.close(), tokenServer.close(), planes.stop()]);
});

const post = (path: string, body: object) => mustCall(governed.tenant.controlUrl, 'POST', path, { token: governed.tenant.token, body });

type Example = { readonly placement: Placement; readonly read: (taken: KeyedRequest) => string | null | undefined };

const authorization = ({ headers }: KeyedRequest): string => headers.authorization ?? '';

/** Extracts the secret of every scheme from a request: a scheme without an example does not compile. */
const EXAMPLES: Readonly<Record<CredentialScheme, Example>> = {
  BEARER: { placement: {}, read: (taken) => authorization(taken).replace('Bearer ', '') },
  HEADER: {
    placement: { header: 'Authorization', template: 'Token token="{secret}", v=1' },
    read: (taken) => /^Token token="(.*)", v=1$/.exec(authorization(taken))?.[1],
  },
  BASIC: {
    placement: { username: 'shop' },
    read: (taken) => Buffer.from(authorization(taken).replace('Basic ', ''), 'base64').toString().replace('shop:', ''),
  },
  BODY_FIELD: { placement: { field: 'auth_token' }, read: ({ body }) => JSON.parse(body).auth_token },
  QUERY: { placement: { parameter: 'api_key' }, read: ({ url }) => url.searchParams.get('api_key') },
};

/** An extra item in every position, twice in one. */
const EXTRAS = [
  { in: 'HEADER', name: 'X-App-Key' },
  { in: 'HEADER', name: 'X-Account' },
  { in: 'QUERY', name: 'statuses[]' },
  { in: 'BODY_FIELD', name: 'app_secret' },
] as const;
const readExtras = ({ headers, url, body }: KeyedRequest): readonly unknown[] => [
  headers['x-app-key'],
  headers['x-account'],
  url.searchParams.get('statuses[]'),
  JSON.parse(body).app_secret,
];

const newSecret = (): string => `s&k="${newUlid()}/+<${newUlid()}>`;
const newSecrets = () => ({ secret: newSecret(), extras: EXTRAS.map((item) => ({ ...item, secret: newSecret() })) });
type Secrets = ReturnType<typeof newSecrets>;
const listTexts = ({ secret, extras }: Secrets): readonly string[] => [secret, ...extras.map((item) => item.secret)];

/** Creates a tool of the service with a credential of its own. */
const newTool = async (credential: object) => {
  const name = `tool-${newUlid().toLowerCase()}`;
  const { environment_id } = governed.tenant;
  const stored = await post('/v1/credentials', { name, environment_id, destinations: [service.host], tools: [name], ...credential });
  const tool = await post('/v1/tools', {
    ...{ name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [service.host] },
    execution: { method: 'POST', url: `http://${service.host}/a`, credential_id: stored.id },
  });
  await post(`/v1/tools/${tool.id}/agents`, { agent_id: governed.agent.id });
  return { name, id: stored.id as string };
};

/** The agent sends values in each position, which the secrets replace. */
const PARAMETERS = { auth_token: 'of the agent', app_secret: 'of the agent', amount: '5' };

/** Responds with every secret in several encodings, and with 401 unless `takes` accepts the request. */
const echo = (secrets: readonly Secrets[], takes: (taken: KeyedRequest) => boolean): void =>
  service.answer((taken, response) =>
    response
      .writeHead(takes(taken) ? 200 : 401, { 'x-echo': encodeURIComponent(secrets.flatMap(listTexts).join(' ')) })
      .end(JSON.stringify([taken.headers, taken.body, taken.url.href, secrets.flatMap(listTexts).flatMap(listEncodings)])),
  );

/** Asserts that no secret is in the response, the record of the action or an event. */
const assertMasked = async (text: string, secrets: readonly Secrets[]): Promise<void> => {
  const { rows } = await database.query(
    `select a::text as row from actions a where organization_id = $1 union all select e::text from audit_events e where organization_id = $1
      union all select c::text from credentials c where organization_id = $1`,
    [governed.tenant.organization_id],
  );
  const kept = text + rows.map(({ row }) => row).join('\n');
  for (const each of secrets.flatMap(listTexts).flatMap(listEncodings)) assert.ok(!kept.includes(each), each);
};

for (const scheme of CREDENTIAL_SCHEMES)
  describe(`the scheme ${scheme} with extra items`, () => {
    const { placement, read } = EXAMPLES[scheme];
    const holds = (taken: KeyedRequest, secrets: Secrets): void => {
      assert.equal(read(taken), secrets.secret);
      assert.deepEqual(
        readExtras(taken),
        secrets.extras.map((item) => item.secret),
      );
    };

    test('sends all secrets to the service, and masks all of them in its response', async () => {
      const secrets = newSecrets();
      const { name } = await newTool({ scheme, placement, ...secrets });
      echo([secrets], () => true);
      const answer = await governed.act({ tool: name, parameters: PARAMETERS });
      assert.deepEqual([answer.json.status, service.taken.length], ['COMPLETED', 1], answer.text);
      for (const taken of service.taken) holds(taken, secrets);
      assert.match(answer.text, /\[credential\]/);
      await assertMasked(answer.text, [secrets]);
    });

    test('sends the previous secrets together if the service refuses the rotated ones, and masks both sets', async () => {
      const [before, next] = [newSecrets(), newSecrets()];
      const { id, name } = await newTool({ scheme, placement, ...before });
      await post(`/v1/credentials/${id}/rotate`, { ...next, overlap_seconds: 60 });
      echo([before, next], (taken) => read(taken) === before.secret);
      const answer = await governed.act({ tool: name, parameters: PARAMETERS });
      assert.deepEqual([answer.json.status, service.taken.length], ['COMPLETED', 2], answer.text);
      const [first, second] = service.taken;
      assert.ok(first && second);
      holds(first, next);
      holds(second, before);
      await assertMasked(answer.text, [before, next]);
    });

    test('keeps the secrets that a rotation does not name', async () => {
      const secrets = newSecrets();
      const { id, name } = await newTool({ scheme, placement, ...secrets });
      const [item] = newSecrets().extras;
      assert.ok(item);
      await post(`/v1/credentials/${id}/rotate`, { extras: [item] });
      const rotated = { ...secrets, extras: [item, ...secrets.extras.slice(1)] };
      echo([rotated], () => true);
      const answer = await governed.act({ tool: name, parameters: PARAMETERS });
      assert.equal(answer.json.status, 'COMPLETED', answer.text);
      for (const taken of service.taken) holds(taken, rotated);
      await assertMasked(answer.text, [secrets, rotated]);
    });
  });

test('an OAuth credential sends its extra items with each access token, and keeps them when its client secret is rotated', async () => {
  const { extras } = newSecrets();
  const oauth = { grant: 'CLIENT_CREDENTIALS', token_url: tokenServer.url, client_id: 'the-service' };
  const { id, name } = await newTool({ scheme: 'BEARER', oauth, client_secret: CLIENT_SECRET, extras });
  const secrets = { secret: CLIENT_SECRET, extras };
  const sends = async (): Promise<void> => {
    echo([secrets], () => true);
    const answer = await governed.act({ tool: name, parameters: PARAMETERS });
    assert.deepEqual([answer.json.status, service.taken.length], ['COMPLETED', 1], answer.text);
    for (const taken of service.taken) {
      assert.ok(tokenServer.isAccessToken(authorization(taken)));
      assert.deepEqual(
        readExtras(taken),
        extras.map((item) => item.secret),
      );
    }
    await assertMasked(answer.text, [secrets]);
  };
  await sends();
  await post(`/v1/credentials/${id}/rotate`, { client_secret: CLIENT_SECRET });
  await sends();
});
