import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { type KeyedRequest, type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

const SETTINGS = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32', SVC_CREDENTIALS_OVER_HTTP: 'true' };
const SECRET = 'sk&live="4eC39Hq/LyjWD+arj<tT1>zdp7dc';

let planes: Planes;
let database: pg.Client;
let governed: Governed;
let service: KeyedService;
before(async () => {
  [planes, service] = await Promise.all([leasePlanes({ env: SETTINGS }), startKeyedService()]);
  database = await planes.database.client();
  governed = await newGoverned(planes);
});
after(async () => {
  await Promise.all([database.end(), service.close(), planes.stop()]);
});

const post = (path: string, body: object) => mustCall(governed.tenant.controlUrl, 'POST', path, { token: governed.tenant.token, body });
const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);

type Asked = { readonly credential?: object; readonly execution?: object; readonly tool?: object };

/** Creates a tool of the service with a credential of its own. */
const newTool = async ({ credential = {}, execution = {}, tool = {} }: Asked = {}) => {
  const name = `tool-${newUlid().toLowerCase()}`;
  const { environment_id } = governed.tenant;
  const { id } = await post('/v1/credentials', {
    ...{ name, environment_id, scheme: 'BEARER', secret: SECRET, destinations: [service.host], tools: [name] },
    ...credential,
  });
  const made = await post('/v1/tools', {
    ...{ name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [service.host] },
    execution: { method: 'POST', url: `http://${service.host}/a`, credential_id: id, ...execution },
    ...tool,
  });
  await post(`/v1/tools/${made.id}/agents`, { agent_id: governed.agent.id });
  return { id, name, toolId: made.id as string };
};
const readEvents = async (answer: TestResponse) => {
  const actionId = (answer.json.error?.details?.decision ?? answer.json).action_id;
  return (
    await database.query("select type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id", [
      actionId,
    ])
  ).rows;
};

/** Makes the service accept the key only in this position. */
const letsIn = (shown: (taken: KeyedRequest) => unknown, secret = SECRET) =>
  service.answer((taken, response) => response.writeHead(shown(taken) === secret ? 200 : 401).end('told'));

const getBasic = ({ headers }: KeyedRequest) => Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
const behind = (text: string | undefined, word: string) => (text?.startsWith(word) ? text.slice(word.length) : undefined);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const WAYS: Readonly<Record<string, Asked & { readonly shown: (taken: KeyedRequest) => unknown }>> = {
  'as a bearer token': { credential: { scheme: 'BEARER' }, shown: ({ headers }) => behind(headers.authorization, 'Bearer ') },
  'in a named header': {
    credential: { scheme: 'HEADER', placement: { header: 'X-API-Key' } },
    shown: ({ headers }) => headers['x-api-key'],
  },
  'in a named header behind a word': {
    credential: { scheme: 'HEADER', placement: { header: 'Authorization', prefix: 'Token' } },
    shown: ({ headers }) => behind(headers.authorization, 'Token '),
  },
  'as the password of a user': {
    credential: { scheme: 'BASIC', placement: { username: 'shop' } },
    shown: (taken) => behind(getBasic(taken), 'shop:'),
  },
  'as a password without a user': { credential: { scheme: 'BASIC', placement: {} }, shown: (taken) => behind(getBasic(taken), ':') },
  'as a user without a password': {
    credential: { scheme: 'BASIC', placement: { secret_is: 'USERNAME' } },
    shown: (taken) => getBasic(taken).slice(0, -1),
  },
  'in a field of a JSON body': {
    credential: { scheme: 'BODY_FIELD', placement: { field: 'auth_token' } },
    shown: ({ body }) => JSON.parse(body).auth_token,
  },
  'in a field of a form': {
    credential: { scheme: 'BODY_FIELD', placement: { field: 'api_key' } },
    execution: { headers: FORM },
    shown: ({ body }) => new URLSearchParams(body).get('api_key'),
  },
  'in the query': {
    credential: { scheme: 'QUERY', placement: { parameter: 'api_key' } },
    shown: ({ url }) => url.searchParams.get('api_key'),
  },
};

describe('a key sent to a service', () => {
  for (const [way, { shown, ...asked }] of Object.entries(WAYS))
    test(`${way}, next to anything that the agent sends`, async () => {
      const { name, id } = await newTool(asked);
      letsIn(shown);
      const parameters = { auth_token: 'of the agent', api_key: 'of the agent', amount: '5' };
      const answer = await governed.act({ tool: name, parameters });
      assert.deepEqual([answer.json.status, service.taken.length], ['COMPLETED', 1], answer.text);
      const events = await readEvents(answer);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['action.requested', 'action.allowed', 'credential.issued', 'action.completed'],
      );
      const { credential_id, lease_id, tool } = events[2].data;
      assert.deepEqual([credential_id, tool], [id, name]);
      assert.match(lease_id, /^lea_/);
      assert.ok(!JSON.stringify(events).includes(SECRET));
    });
});

/** Encodings in which a receiver may echo what it was sent. */
const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  raw: (s) => s,
  'base64 at 0': (s) => Buffer.from(s).toString('base64'),
  'base64 at 1': (s) => Buffer.from(`x${s}`).toString('base64'),
  'base64 at 2': (s) => Buffer.from(`xy${s}`).toString('base64'),
  base64url: (s) => Buffer.from(`{${s}}`).toString('base64url'),
  hex: (s) => Buffer.from(s).toString('hex'),
  HEX: (s) => Buffer.from(s).toString('hex').toUpperCase(),
  URL: (s) => encodeURIComponent(s),
  'url in small letters': (s) => encodeURIComponent(s).replace(/%../g, (c) => c.toLowerCase()),
  JSON: (s) => JSON.stringify(s),
  'JSON of units': (s) => [...s].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  HTML: (s) => s.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c),
  'what can be guessed on from': (s) => s.slice(0, -16),
  'escaped in part': (s) => s.replaceAll('+', '%2B').replaceAll('/', '\\/').replaceAll('&', '&amp;'),
};
/** Returns the encodings that still disclose the secret. */
const givesAway = (text: string): string[] =>
  Object.entries(SPELLINGS)
    .filter(([name, write]) => text.includes(name.startsWith('base64') ? write(SECRET).slice(4, -4) : write(SECRET)))
    .map(([name]) => name);

describe('a service that echoes its key', () => {
  const echo = async (how: (response: ServerResponse) => unknown): Promise<TestResponse> => {
    service.answer((_taken, response) => how(response));
    const answer = await governed.act({ tool: (await echoing).name });
    assert.equal(service.taken.length, 1);
    return answer;
  };
  let echoing: ReturnType<typeof newTool>;
  before(() => {
    echoing = newTool();
  });
  /** Asserts that the agent and the record do not have the secret. */
  const assertHidden = async (answer: TestResponse, what: string) => {
    const { action_id } = answer.json.error?.details?.decision ?? answer.json;
    const recorded = await governed.owner('GET', `/v1/actions/${action_id}`);
    const { rows } = await database.query('select a::text as row from actions a where id = $1', [action_id]);
    assert.deepEqual(
      givesAway(answer.text + recorded.text + JSON.stringify(rows) + JSON.stringify(rows[0].row)),
      [],
      `${what}: ${answer.text}`,
    );
  };

  test('does not disclose it in a text, an error, a header or a name or value of JSON', async () => {
    const written = Object.values(SPELLINGS).map((write) => write(SECRET));
    for (const status of [200, 400])
      await assertHidden(await echo((response) => response.writeHead(status).end(`you sent ${written.join('\n and ')}.`)), 'text');
    const json = JSON.stringify({ ...Object.fromEntries(written.map((each) => [each, each])), all: [{ deep: written }] });
    await assertHidden(await echo((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(json)), 'json');
    await assertHidden(
      await echo((response) => response.writeHead(200, { 'x-key': encodeURIComponent(SECRET), location: '/' }).end()),
      'header',
    );
    const told = (await echo((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(json))).json.execution
      .result;
    assert.equal(told.all[0].deep[0], '[credential]', 'and the rest is told');
  });

  test('does not disclose it in pieces, in a large response or in one with unrequested compression', async () => {
    await assertHidden(
      await echo((response) => {
        for (const char of SECRET.repeat(3)) response.write(char);
        response.end();
      }),
      'pieces',
    );
    const large = JSON.stringify({
      key: SECRET,
      [SECRET]: Object.values(SPELLINGS).map((write) => write(SECRET)),
      rest: 'x'.repeat(500_000),
    });
    const answer = await echo((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(large));
    assert.equal(answer.json.execution.result.rest.length, 500_000);
    await assertHidden(answer, 'large');
    const compressed = await echo((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(SECRET)));
    assert.match(compressed.text, /compressed, although the request did not allow it/);
    await assertHidden(compressed, 'gzip');
  });

  test('does not disclose either of two valid ones during a rotation', async () => {
    const next = `next-${newUlid()}`;
    const { id, name } = await newTool();
    await post(`/v1/credentials/${id}/rotate`, { secret: next, overlap_seconds: 60 });
    service.answer(({ headers }, response) => {
      const isOld = headers.authorization === `Bearer ${SECRET}`;
      response.writeHead(isOld ? 200 : 401).end(`You came with ${next} and ${SECRET}.`);
    });
    const answer = await governed.act({ tool: name });
    assert.deepEqual(
      [answer.json.execution?.result, service.taken.length],
      ['You came with [credential] and [credential].', 2],
      answer.text,
    );
  });
});

describe('a changing credential', () => {
  const bearer = ({ headers }: KeyedRequest) => behind(headers.authorization, 'Bearer ');

  test('is sent once more in its old form if the new secret is refused, during the overlap only', async () => {
    const { id, name } = await newTool();
    await post(`/v1/credentials/${id}/rotate`, { secret: 'the-next-secret', overlap_seconds: 60 });
    letsIn(bearer);
    assert.equal((await governed.act({ tool: name })).json.status, 'COMPLETED');
    assert.deepEqual(service.taken.map(bearer), ['the-next-secret', SECRET]);
    letsIn(bearer, 'the-next-secret');
    assert.equal((await governed.act({ tool: name })).json.status, 'COMPLETED');
    assert.equal(service.taken.length, 1);
    await database.query("update credentials set previous_ends_at = now() - interval '1 minute' where id = $1", [id]);
    letsIn(bearer);
    assert.equal(getCode(await governed.act({ tool: name })), 'EXECUTION_FAILED');
    assert.deepEqual(service.taken.map(bearer), ['the-next-secret']);
    // An expired one is no longer opened, and so is ordinary text.
    service.answer((_taken, response) => response.end(`Not ${SECRET} but the-next-secret.`));
    assert.equal((await governed.act({ tool: name })).json.execution?.result, `Not ${SECRET} but [credential].`);
    await post(`/v1/credentials/${id}/rotate`, { secret: 'another-secret' });
    letsIn(bearer, 'the-next-secret');
    assert.equal(getCode(await governed.act({ tool: name })), 'EXECUTION_FAILED');
    assert.deepEqual(service.taken.map(bearer), ['another-secret']);
  });

  test('is not sent in its old form once the tool is disabled while the new secret is refused', async () => {
    const { id, name, toolId } = await newTool();
    await post(`/v1/credentials/${id}/rotate`, { secret: 'the-next-secret', overlap_seconds: 60 });
    service.answer(async (_taken, response) => {
      await governed.owner('POST', `/v1/tools/${toolId}/disable`, { reason: 'Stopped.' });
      response.writeHead(401).end();
    });
    assert.equal(getCode(await governed.act({ tool: name })), 'EXECUTION_FAILED');
    assert.deepEqual(service.taken.map(bearer), ['the-next-secret']);
  });

  test('is not used by any action that begins after its revocation, on any gateway', async () => {
    const { id, name } = await newTool();
    letsIn(bearer);
    for (const gateway of [0, 1]) assert.equal((await governed.act({ tool: name }, { gateway })).json.status, 'COMPLETED');
    await post(`/v1/credentials/${id}/revoke`, { reason: 'It leaked.' });
    for (const gateway of [0, 1]) {
      const answer = await governed.act({ tool: name }, { gateway });
      assert.deepEqual([answer.status, getCode(answer)], [400, 'INVALID_CREDENTIAL_REFERENCE'], answer.text);
    }
    assert.equal(service.taken.length, 2);
  });

  test('is used for the tools and hosts that it names, for any request of the agent', async () => {
    const [, port] = service.host.split(':');
    const schema = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] };
    const tool = { parameters_schema: schema, destination_allowlist: [service.host, `localhost:${port}`] };
    const { id, name } = await newTool({ tool, execution: { url: `http://{host}:${port}/` } });
    service.answer((_taken, response) => response.end());
    const elsewhere = await governed.act({ tool: name, parameters: { host: 'localhost' } });
    assert.equal(getCode(elsewhere), 'INVALID_CREDENTIAL_REFERENCE', elsewhere.text);
    assert.equal(service.taken.length, 0);
    assert.equal((await governed.act({ tool: name, parameters: { host: '127.0.0.1' } })).json.status, 'COMPLETED');
    await database.query("update credentials set tools = '{another}' where id = $1", [id]);
    assert.equal(getCode(await governed.act({ tool: name, parameters: { host: '127.0.0.1' } })), 'INVALID_CREDENTIAL_REFERENCE');
    assert.equal(service.taken.length, 1);
  });
});

test('if a secret or its key cannot be opened, nothing is sent, and the action is refused with 503 and recorded as failed', async () => {
  service.answer((_taken, response) => response.end());
  const assertUnsent = async (text: string, values: readonly unknown[]) => {
    const { id, name } = await newTool();
    await database.query(text, [id, ...values]);
    const answer = await governed.act({ tool: name });
    assert.deepEqual([answer.status, getCode(answer)], [503, 'CREDENTIAL_SERVICE_UNAVAILABLE'], answer.text);
    assert.ok(answer.headers.get('retry-after'));
    const types = (await readEvents(answer)).map(({ type }) => type);
    assert.deepEqual(types, ['action.requested', 'action.allowed', 'credential.issued', 'action.failed']);
    assert.equal((await governed.owner('GET', `/v1/actions/${answer.json.error.details.decision.action_id}`)).json.status, 'FAILED');
  };
  const other = await newTool();
  await assertUnsent('update credentials set sealed_secret = (select sealed_secret from credentials where id = $2) where id = $1', [
    other.id,
  ]);
  await assertUnsent(
    'update credentials set sealed_secret = set_byte(sealed_secret, 20, (get_byte(sealed_secret, 20) + 1) % 256) where id = $1',
    [],
  );
  await assertUnsent('update credentials set generation = generation + 1 where id = $1', []);
  // Each of these would send the secret to another destination, in another position, or for something else.
  for (const changed of [
    "destinations = array_append(destinations, '*.elsewhere.example')",
    "tools = array_append(tools, 'another')",
    "placement = '{}', scheme = 'BASIC'",
    `extras = '[{"in": "HEADER", "name": "x-key"}]'`,
  ])
    await assertUnsent(`update credentials set ${changed} where id = $1`, []);
  await assertUnsent('update credentials set scheme = $2, placement = $3 where id = $1', ['QUERY', { parameter: 'key' }]);
  const organization = [governed.tenant.organization_id];
  const { rows } = await database.query('select wrapped_key from data_keys where organization_id = $1', organization);
  await database.query("update data_keys set wrapped_key = '\\x00' where organization_id = $1", organization);
  await database.query('update credentials set updated_at = now() where id = $1', [other.id]);
  const unwrapped = await governed.act({ tool: other.name });
  assert.equal(getCode(unwrapped), 'CREDENTIAL_SERVICE_UNAVAILABLE', unwrapped.text);
  await database.query('update data_keys set wrapped_key = $2 where organization_id = $1', [...organization, rows[0].wrapped_key]);
  assert.equal(service.taken.length, 0);
});
