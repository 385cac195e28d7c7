import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { findCanaries, listEncodings, listPatterns, newCanary } from '@svc/testing/logs/find-canaries.ts';
import { type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { type OtherSecrets, sendOauthCanaries } from './oauth-canaries.ts';

let planes: Planes;
let governed: Governed;
let database: pg.Client;
let service: KeyedService;
let metrics: readonly string[];
let walBegan: string;
/** Received requests of a trace collector. */
const spans: Buffer[] = [];
const collector = createServer(async (request, response) => {
  for await (const piece of request) spans.push(piece as Buffer);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
before(async () => {
  const ports = [await freePort(), await freePort()];
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  collector.unref();
  const traces = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  metrics = ports.map((port) => `http://127.0.0.1:${port}/metrics`);
  const env = {
    ...{ GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32', SVC_CREDENTIALS_OVER_HTTP: 'true' },
    ...{ LOG_LEVEL: 'trace', SVC_EGRESS_TIMEOUT_MS: '1000' },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: traces, OTEL_BSP_SCHEDULE_DELAY: '100' },
    ...{ SVC_CONTROL_METRICS: `127.0.0.1:${ports[0]}`, SVC_GATEWAY_METRICS: `127.0.0.1:${ports[1]}` },
  };
  [planes, service] = await Promise.all([startPlanes({ env }), startKeyedService()]);
  database = await planes.database.client();
  walBegan = (await database.query('select pg_current_wal_lsn()::text as at')).rows[0].at;
  governed = await newGoverned(planes);
});
after(async () => {
  await database.end();
  await Promise.all([planes.stop(), service.close()]);
  collector.closeAllConnections();
  collector.close();
});

const answers: TestResponse[] = [];
const kept = async (asked: Promise<TestResponse>): Promise<TestResponse> => {
  const answer = await asked;
  answers.push(answer);
  return answer;
};
const control = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  kept(call(planes.controlUrl, method, path, { token: governed.tenant.token, headers, ...(body === undefined ? {} : { body }) }));

const SCHEMES = [
  ['BEARER', {}],
  ['HEADER', { header: 'x-api-key', prefix: 'Key' }],
  ['BASIC', { username: 'me' }],
  ['BODY_FIELD', { field: 'key' }],
  ['QUERY', { parameter: 'key' }],
] as const;

const bodyFor = (more: object) => ({
  ...{ name: `c ${newUlid()}`, environment_id: governed.tenant.environment_id, destinations: [service.host], tools: ['x'] },
  ...{ scheme: 'BEARER', secret: newCanary(), ...more },
});

const newExtras = () => [
  { in: 'HEADER', name: 'X-App', secret: newCanary() },
  { in: 'QUERY', name: 'app', secret: newCanary() },
];

/** Creates a tool whose credential is a canary, and rotates to another one while the first is valid. */
const newSinging = async ([scheme, placement]: (typeof SCHEMES)[number]): Promise<string> => {
  const name = `sings-${newUlid().toLowerCase()}`;
  const key = newUlid();
  const body = bodyFor({ scheme, placement, tools: [name], extras: newExtras() });
  const { json } = await control('POST', '/v1/credentials', body, { 'idempotency-key': key });
  await control('POST', '/v1/credentials', body, { 'idempotency-key': key });
  await control('POST', '/v1/credentials', { ...body, secret: newCanary() }, { 'idempotency-key': key });
  await control('POST', `/v1/credentials/${json.id}/rotate`, { secret: newCanary(), extras: newExtras(), overlap_seconds: 600 });
  await newToolOf(name, json.id);
  return name;
};

/** Creates a tool of the service that is called with this credential. */
const newToolOf = async (name: string, credential_id: string): Promise<void> => {
  const { environment_id } = governed.tenant;
  const tool = await control('POST', '/v1/tools', {
    ...{ name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [service.host] },
    execution: { method: 'POST', url: `http://${service.host}/`, credential_id },
  });
  await control('POST', `/v1/tools/${tool.json.id}/agents`, { agent_id: governed.agent.id });
};
/** Uses an idempotency key, so that stored replays are searched too. */
const testCall = (id: string, url = `http://${service.host}/?of=it`): Promise<TestResponse> =>
  control('POST', `/v1/credentials/${id}/test`, { url }, { 'idempotency-key': newUlid() });

/** Returns what arrived with the request, in every encoding of anything that could be the secret. */
const getEcho = ({ headers, url, body }: KeyedService['taken'][number]): string => {
  const { searchParams } = url;
  const shown = [headers.authorization, headers['x-api-key'], headers['x-app'], searchParams.get('key'), searchParams.get('app'), body]
    .flat()
    .filter((each) => each != null);
  const secrets = shown.flatMap((text) => {
    const basic = text.startsWith('Basic ') ? Buffer.from(text.slice(6), 'base64').toString().slice(3) : undefined;
    const field = text.startsWith('{') ? JSON.parse(text).key : undefined;
    return basic ?? field ?? text.replace(/^(Bearer|Key) /, '');
  });
  return secrets
    .filter((secret) => secret !== undefined)
    .flatMap(listEncodings)
    .join('\n');
};

type Manner = Parameters<KeyedService['answer']>[0];
const MANNERS: readonly Manner[] = [
  (taken, response) => response.writeHead(200).end(getEcho(taken)),
  (taken, response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ [getEcho(taken)]: getEcho(taken) })),
  (taken, response) => response.writeHead(302, { location: `/?key=${encodeURIComponent(getEcho(taken))}` }).end(),
  (taken, response) => response.writeHead(500, { 'x-echo': encodeURIComponent(getEcho(taken)) }).end(gzipSync(getEcho(taken))),
  (taken, response) => response.socket?.end(`HTTP/1.1 200 ${getEcho(taken)}\r\n\r\n`),
  (_taken, response) => response.socket?.resetAndDestroy(),
  () => undefined,
];

const refusedBodies = (): unknown[] => [
  bodyFor({ scheme: 'NONE' }),
  bodyFor({ scheme: 'HEADER' }),
  bodyFor({ destinations: ['*'] }),
  bodyFor({ environment_id: 'env_00000000000000000000000000' }),
  bodyFor({ secret: [newCanary()] }),
  bodyFor({ secret: { value: newCanary() } }),
  bodyFor({ secret: `${newCanary()}\n` }),
  bodyFor({ secret: newCanary().repeat(200) }),
  bodyFor({ secrets: newCanary() }),
  bodyFor({ extras: [{ in: 'COOKIE', name: newCanary(), secret: newCanary() }] }),
  bodyFor({ extras: [{ in: 'HEADER', name: 'host', secret: newCanary() }] }),
  bodyFor({ extras: { secret: newCanary() } }),
  bodyFor({ placement: { field: 5, secret: newCanary() } }),
];

/** Tests one credential of each scheme in each response mode, at an address that responds and at one that it is not for. */
const singTests = async (): Promise<void> => {
  const ids = await Promise.all(
    SCHEMES.map(async ([scheme, placement]) => (await control('POST', '/v1/credentials', bodyFor({ scheme, placement }))).json.id),
  );
  for (const [at, manner] of MANNERS.entries()) {
    service.answer(manner);
    const answer = await testCall(ids[at % 3]);
    assert.equal(answer.status, 200, answer.text);
  }
  const [echo] = MANNERS;
  if (echo) service.answer(echo);
  for (const id of ids) await testCall(id);
  assert.equal((await testCall(ids[0], `http://elsewhere.example/?key=of-it`)).status, 400);
};

const singOfOauth = (): Promise<OtherSecrets> => {
  const [echo] = MANNERS;
  if (echo) service.answer(echo);
  return sendOauthCanaries({
    ...{ controlUrl: planes.controlUrl, token: governed.tenant.token, control, bodyFor, newTool: newToolOf, testCall },
    act: (tool) => kept(governed.act({ tool })),
  });
};

/** Stores, replaces and refuses incoming webhooks of a chat. */
const singToChannels = async (): Promise<void> => {
  const url = (host = 'https://hooks.slack.com') => `${host}/services/T0/B0/${newCanary()}`;
  const body = (webhook_url: unknown) => ({ name: `sings ${newUlid()}`, webhook_url, notices: ['emergency'] });
  const { json } = await control('POST', '/v1/notification-channels', body(url()), { 'idempotency-key': newUlid() });
  await control('POST', `/v1/notification-channels/${json.id}/test`, {});
  await control('PATCH', `/v1/notification-channels/${json.id}`, { webhook_url: url() });
  for (const refused of [
    url('http://hooks.slack.com'),
    url('https://chat.example'),
    [url()],
    { [url()]: url() },
    `${url()}\n`,
    newCanary(),
  ]) {
    await control('POST', '/v1/notification-channels', body(refused));
    await control('PATCH', `/v1/notification-channels/${json.id}`, { webhook_url: refused });
  }
};

const sing = async (): Promise<void> => {
  const [tools] = [await Promise.all(SCHEMES.map(newSinging)), await Promise.all([...SCHEMES, ...SCHEMES].map(newSinging))];
  await singToChannels();
  for (const body of refusedBodies()) await control('POST', '/v1/credentials', body);
  const { credentialId } = await newCredential(governed.tenant, { secret: newCanary() });
  for (const secret of [`${newCanary()} `, [newCanary()], { [newCanary()]: newCanary() }, newCanary()])
    await control('POST', `/v1/credentials/${credentialId}/rotate`, { secret, overlap_seconds: 60 });
  await control('POST', `/v1/credentials/${credentialId}/revoke`, { reason: 'Over.' });
  await control('POST', `/v1/credentials/${credentialId}/rotate`, { secret: newCanary() });
  const cut = JSON.stringify(bodyFor({})).slice(0, -1);
  const headers = { authorization: `Bearer ${governed.tenant.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${planes.controlUrl}/v1/credentials`, { method: 'POST', headers, body: cut });
  assert.ok(!findCanaries(Buffer.from(await response.text())).length && response.status === 400);
  // A row that violates a constraint of the database.
  await database.query("alter table credentials add constraint breaks check (description <> 'breaks')");
  assert.equal((await control('POST', '/v1/credentials', bodyFor({ description: 'breaks' }))).status, 500);
  for (const manner of MANNERS) {
    service.answer(manner);
    await Promise.all(tools.map((tool, n) => kept(governed.act({ tool, parameters: { n } }, { key: `${n}-${MANNERS.indexOf(manner)}` }))));
    assert.ok(service.taken.length >= tools.length);
  }
};

/** Returns every row as text. */
const readRows = async (): Promise<Readonly<Record<string, Buffer>>> => {
  const { rows: tables } = await database.query("select tablename as name from pg_tables where schemaname = 'public'");
  const contents: Record<string, Buffer> = {};
  for (const { name } of tables) {
    const { rows } = await database.query(`select to_jsonb(t)::text as row from ${name} t`);
    contents[`table ${name}`] = Buffer.from(rows.map(({ row }) => row).join('\n'));
  }
  return contents;
};

/** Returns what the database wrote to disk: its tables, and its log since the test began. */
const readFiles = async (): Promise<Readonly<Record<string, Buffer>>> => {
  await database.query('checkpoint');
  const { rows } = await database.query(
    `select current_setting('data_directory') as folder, (select oid from pg_database where datname = current_database())::text as oid,
            (pg_walfile_name_offset($1::pg_lsn)).file_name as first, (pg_walfile_name_offset($1::pg_lsn)).file_offset as begins,
            (pg_walfile_name_offset(at)).file_name as last, (pg_walfile_name_offset(at)).file_offset as ends from pg_current_wal_lsn() at`,
    [walBegan],
  );
  const { folder, oid, first, begins, last, ends } = rows[0];
  const wal = readdirSync(join(folder, 'pg_wal')).filter((name) => name >= first && name <= last && /^[0-9A-F]{24}$/.test(name));
  const files = [
    ...readdirSync(join(folder, 'base', oid)).map((name) => join('base', oid, name)),
    ...wal.map((name) => join('pg_wal', name)),
  ];
  // Log files are reused, so before and after the new part they hold data of others.
  const written = (file: string, bytes: Buffer): Buffer =>
    bytes.subarray(file.endsWith(first) ? begins : 0, file.endsWith(last) ? ends : bytes.length);
  return Object.fromEntries(files.map((file) => [file, written(file, readFileSync(join(folder, file)))]));
};

test('sixty secrets sent to every endpoint, and those of OAuth, are in no table, file, log, metric, trace or response, in any form', async () => {
  const others = await singOfOauth();
  await singTests();
  await sing();
  const number = Number(newCanary().split('-', 1)[0]?.slice(1));
  assert.ok(number > 60, `${number} canaries`);
  const told = await Promise.all(metrics.map(async (url) => (await fetch(url)).text()));
  assert.ok(told.every((text) => text.length > 100));
  const traced = ['POST /v1/credentials/:credentialId/test', 'GET /v1/credentials/:credentialId/callback', 'POST /gateway/v1/actions'];
  await waitUntil('what was traced is sent', () => traced.every((name) => Buffer.concat(spans).includes(name)));
  const texts = {
    ...(await readRows()),
    logs: Buffer.from(planes.logs()),
    traces: Buffer.concat(spans),
    metrics: Buffer.from(told.join('\n')),
    answers: Buffer.from(answers.map(({ text, headers }) => `${text} ${JSON.stringify([...headers])}`).join('\n')),
  };
  assert.ok(texts.logs.length > 1_000, 'the logs were kept');
  assert.ok(texts.traces.length > 1_000, 'spans were sent');
  const files = await readFiles();
  for (const [where, bytes] of Object.entries(texts))
    for (const needles of [undefined, listPatterns(others)]) assert.deepEqual(findCanaries(bytes, true, needles), [], where);
  // On disk texts are stored unencoded; there are many bytes.
  const asTheyAre = others.map((text) => Buffer.from(text));
  for (const [where, bytes] of Object.entries(files))
    for (const needles of [undefined, asTheyAre]) assert.deepEqual(findCanaries(bytes, false, needles), [], where);
});

test('a stored secret is found, in any form and across cuts', async () => {
  const canary = newCanary();
  const cut = canary.indexOf('~') + 1;
  for (const text of [...listEncodings(canary), canary.slice(0, cut), canary.slice(cut)]) {
    await database.query('create table cage as select $1::text as bird', [`before ${text} behind`]);
    assert.notDeepEqual(findCanaries((await readRows())['table cage'] ?? Buffer.alloc(0)), [], text);
    await database.query('drop table cage');
  }
  const packed = gzipSync(`before ${canary}`);
  for (const bytes of [packed, Buffer.from(packed.toString('hex')), Buffer.from(packed.toString('base64'))])
    assert.notDeepEqual(findCanaries(bytes), []);
  await database.query('create table cage as select $1::text as bird', [canary]);
  const found = Object.entries(await readFiles()).filter(([, bytes]) => findCanaries(bytes, false).length > 0);
  assert.ok(found.some(([file]) => file.startsWith('base')) && found.some(([file]) => file.startsWith('pg_wal')));
});
