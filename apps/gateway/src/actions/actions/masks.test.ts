import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
let downstream: Server;
let address: string;
/** Requests that arrived at the destination, newest last. */
const received: { url: string; body: string }[] = [];
let answer: { type: string; body: string; status?: number };

before(async () => {
  downstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({ url: request.url ?? '', body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => downstream.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(downstream.address() as AddressInfo).port}`;
  planes = await leasePlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
  downstream.close();
});

const SECRET = 'DE89-THE-SECRET';
const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) });
const last = () => received.at(-1) ?? { url: '', body: '' };

const mask = (paths: object, more: object = {}) => ({ id: 'hide', effect: 'MASK', reason: 'Hidden.', mask: paths, ...more });
const masking = (paths: object, tool: object = {}, rules: readonly object[] = []): Promise<Governed> =>
  newGoverned(planes, {
    rules: [{ id: 'fine', effect: 'ALLOW', reason: 'Fine.' }, mask(paths), ...rules],
    tests: [{ name: 'masked', given: {}, then: { effect: 'MASK' } }],
    tool: { kind: 'HTTP', destination_allowlist: [address], execution: { method: 'POST', url: `http://${address}/pay` }, ...tool },
  });

/** Asserts that a secret is not stored for a tenant and not in the logs of the planes. */
const isNowhere = async ({ tenant }: Governed, secret: string): Promise<void> => {
  for (const table of ['actions', 'audit_events', 'approvals', 'idempotency_keys', 'counters', 'counter_uses']) {
    const { rows } = await database.query(`select t::text as row from ${table} t where organization_id = $1`, [tenant.organization_id]);
    for (const { row } of rows) assert.ok(!row.includes(secret), `${table}: ${row}`);
  }
  assert.ok(!planes.logs().includes(secret));
};

test('masked parameters are not sent to the tool, the record or an event', async () => {
  answer = json({ done: true });
  const governed = await masking({ parameters: ['customer.iban', 'items.*.email', 'notes.deep.secret'] });
  const parameters = {
    customer: { iban: SECRET, name: 'Ada' },
    items: [
      { email: SECRET, sku: 'A1' },
      { email: SECRET, sku: 'B2', inner: [{ email: 'kept' }] },
    ],
    notes: [[{ deep: { secret: SECRET } }]],
  };
  const { status, json: told, text } = await governed.act({ parameters }, { key: 'masked-1' });
  assert.equal(status, 200);
  assert.equal(told.decision, 'MASK');
  assert.deepEqual(JSON.parse(last().body), {
    customer: { iban: '[masked]', name: 'Ada' },
    items: [
      { email: '[masked]', sku: 'A1' },
      { email: '[masked]', sku: 'B2', inner: [{ email: 'kept' }] },
    ],
    notes: [[{ deep: { secret: '[masked]' } }]],
  });
  assert.ok(!text.includes(SECRET));
  const recorded = await governed.owner('GET', `/v1/actions/${told.action_id}`);
  assert.equal(recorded.json.parameters.customer.iban, '[masked]');
  await isNowhere(governed, SECRET);
});

test('a mask permits nothing: what no other rule permits is refused, and the explanation names what matched', async () => {
  const governed = await newGoverned(planes, {
    rules: [mask({ parameters: ['pin'] })],
    tests: [{ name: 'masked', given: {}, then: { effect: 'BLOCK', rule: null, matches: ['hide'] } }],
    tool: { risk_rating: 'CRITICAL', dangerous: true },
  });
  const refused = await governed.act({ parameters: { pin: SECRET } });
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'ACTION_BLOCKED'], refused.text);
  assert.equal(refused.json.error.message, 'No policy rule allows this action');
  const recorded = (await governed.owner('GET', `/v1/actions/${refused.json.error.details.decision.action_id}`)).json;
  assert.deepEqual([recorded.explanation.decision, recorded.explanation.matched_rule], ['BLOCK', null]);
  const { note } = recorded.explanation.stages.find(({ stage }: { stage: string }) => stage === 'policy');
  assert.match(note, /^No policy rule allows this action\. Obligations match \("hide"\)/);
  assert.equal(recorded.parameters.pin, '[masked]');
  const simulated = await governed.owner('POST', '/v1/policies/simulate', { agent_id: governed.agent.id, tool: 'pay' });
  assert.deepEqual([simulated.json.decision, simulated.json.code], ['BLOCK', 'ACTION_BLOCKED']);
  const dry = await governed.act({ parameters: { pin: 'x' }, dry_run: true });
  assert.equal(dry.json.error?.code ?? dry.json.code, 'ACTION_BLOCKED', dry.text);
});

test('a condition on a masked value does not reveal it', async () => {
  answer = json({ done: true });
  const reads = {
    id: 'reads',
    effect: 'ALLOW',
    reason: 'Reads.',
    when: { field: 'parameters.customer.iban', op: 'starts_with', value: 'DE' },
  };
  const each = { ...reads, id: 'each', when: { field: 'parameters.list.*.email', op: 'eq', value: 'x', quantifier: 'any' } };
  const governed = await masking({ parameters: ['customer', 'list.email'] }, {}, [reads, each]);
  const { json: told, text } = await governed.act({ parameters: { customer: { iban: SECRET }, list: [{ email: SECRET }] } });
  assert.equal(told.decision, 'MASK');
  const conditions = told.explanation.matched_rules.flatMap((rule: { conditions: object[] }) => rule.conditions);
  assert.deepEqual(
    conditions.map(({ field, outcome, actual }: { field: string; outcome: string; actual: unknown }) => [field, outcome, actual]),
    [
      ['parameters.customer.iban', 'true', '[masked]'],
      ['parameters.list.*.email', 'false', '[masked]'],
    ],
  );
  assert.ok(!text.includes(SECRET));
  await isNowhere(governed, SECRET);
});

test('masked results do not reach the agent or the record, in lists, nested members and lists of lists', async () => {
  answer = json([{ email: SECRET, id: 1 }, { email: SECRET, owner: { phone: SECRET, name: 'Ada' } }, [{ email: SECRET }]]);
  const governed = await masking({ result: ['*.email', '*.owner.phone'] });
  const { json: told } = await governed.act({ parameters: { n: 1 } }, { key: 'r1' });
  const shown = [{ email: '[masked]', id: 1 }, { email: '[masked]', owner: { phone: '[masked]', name: 'Ada' } }, [{ email: '[masked]' }]];
  assert.deepEqual(told.execution.result, shown);
  const recorded = await governed.owner('GET', `/v1/actions/${told.action_id}`);
  assert.deepEqual(recorded.json.execution.result, shown);
  const again = await governed.act({ parameters: { n: 1 } }, { key: 'r1' });
  assert.deepEqual(again.json.execution.result, shown);
  await isNowhere(governed, SECRET);
});

test('a failed call is masked like a successful one', async () => {
  answer = { ...json({ error: { email: SECRET } }), status: 422 };
  const governed = await masking({ result: ['error.email'] });
  const { status, json: told, text } = await governed.act({ parameters: { n: 1 } });
  assert.equal(status, 502);
  assert.deepEqual(told.error.details.decision.execution.result, { error: { email: '[masked]' } });
  assert.ok(!text.includes(SECRET));
  await isNowhere(governed, SECRET);
});

for (const [name, body] of [
  ['plain text', { type: 'text/plain', body: `email: ${SECRET}` }],
  ['JSON that is one text', json(`email: ${SECRET}`)],
  ['what says it is JSON and is not', { type: 'application/json', body: `{"email": "${SECRET}"` }],
] as const) {
  test(`withholds a result that cannot be masked as a whole: ${name}`, async () => {
    answer = body;
    const governed = await masking({ result: ['email'] });
    const { status, json: told, text } = await governed.act({ parameters: { n: 1 } });
    assert.equal(status, 200);
    assert.equal(told.status, 'COMPLETED');
    assert.equal(told.execution.result, '[masked]');
    assert.match(told.execution.reason, /withheld/);
    assert.ok(!text.includes(SECRET));
    await isNowhere(governed, SECRET);
  });
}

test('masks of weaker rules apply under a stricter one: a limit, and an approval with its card', async () => {
  answer = json({ email: SECRET });
  const hold = { id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'Ask.', when: { field: 'parameters.big', op: 'is_true' } };
  const cap = {
    id: 'cap',
    effect: 'LIMIT',
    reason: 'Ten.',
    limit: { max_calls: 10, window_seconds: 60 },
    when: { field: 'parameters.big', op: 'exists' },
  };
  const governed = await masking({ parameters: ['iban'], result: ['email'] }, {}, [hold, cap]);
  const limited = await governed.act({ parameters: { iban: SECRET, big: false } });
  assert.equal(limited.json.decision, 'LIMIT');
  assert.equal(JSON.parse(last().body).iban, '[masked]');
  assert.equal(limited.json.execution.result.email, '[masked]');
  const request = { parameters: { iban: SECRET, big: true } };
  const held = await governed.act(request);
  assert.equal(held.json.error.code, 'APPROVAL_REQUIRED');
  const { approval_id } = held.json.error.details;
  const card = await governed.owner('GET', `/v1/approvals/${approval_id}`);
  assert.deepEqual(card.json.parameters, { iban: '[masked]', big: true });
  assert.deepEqual(card.json.explanation.obligations.mask, { parameters: ['iban'], result: ['email'] });
  await isNowhere(governed, SECRET);
  await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
  const used = await governed.act({ ...request, approval_id });
  assert.equal(used.status, 200);
  assert.equal(JSON.parse(last().body).iban, '[masked]');
  assert.equal(used.json.execution.result.email, '[masked]');
  await isNowhere(governed, SECRET);
});

test('a refusal is recorded masked too, also if it was refused before any rule', async () => {
  const block = { id: 'no', effect: 'BLOCK', reason: 'No.', when: { field: 'parameters.block', op: 'is_true' } };
  const governed = await masking({ parameters: ['iban'] }, {}, [block]);
  const blocked = await governed.act({ parameters: { iban: SECRET, block: true } });
  assert.equal(blocked.json.error.code, 'ACTION_BLOCKED');
  await governed.owner('POST', `/v1/tools/${governed.tool.id}/disable`, { reason: 'test' });
  const disabled = await governed.act({ parameters: { iban: SECRET } });
  assert.equal(disabled.json.error.code, 'TOOL_DISABLED');
  const recorded = await governed.owner('GET', `/v1/actions/${disabled.json.error.details.decision.action_id}`);
  assert.equal(recorded.json.parameters.iban, '[masked]');
  await isNowhere(governed, SECRET);
});

test('a call that requires a masked value is not made', async () => {
  answer = json({ done: true });
  const governed = await masking(
    { parameters: ['host'] },
    { execution: { method: 'POST', url: `http://{host}:${address.split(':')[1]}/pay` } },
  );
  const before = received.length;
  const { status, json: told } = await governed.act({ parameters: { host: '127.0.0.1' } });
  assert.equal(status, 403);
  assert.equal(told.error.code, 'ACTION_BLOCKED');
  assert.match(told.error.message, /mask/);
  assert.equal(received.length, before);
});

test('a masked path of the address is masked there', async () => {
  answer = json({ done: true });
  const governed = await masking({ parameters: ['id'] }, { execution: { method: 'GET', url: `http://${address}/customers/{id}{?id}` } });
  assert.equal((await governed.act({ parameters: { id: SECRET } })).status, 200);
  assert.equal(decodeURIComponent(last().url), '/customers/[masked]?id=[masked]');
});

test('OBSERVE passes a result through unchanged, and stores nothing that ENFORCE would have masked', async () => {
  answer = json({ email: SECRET });
  const governed = await masking({ parameters: ['iban'], result: ['email'] });
  const mode = { mode: 'OBSERVE', reason: 'test' };
  await governed.owner('POST', `/v1/environments/${governed.tenant.environment_id}/gateway-mode`, mode);
  const { json: told } = await governed.act({ parameters: { iban: SECRET } });
  assert.equal(JSON.parse(last().body).iban, SECRET);
  assert.equal(told.execution.result.email, SECRET);
  assert.equal(told.decision, 'MASK');
  await isNowhere(governed, SECRET);
});

test('a tool that the agent executes itself is answered with what to mask, and its report is stored masked', async () => {
  const governed = await masking(
    { parameters: ['iban'], result: ['*.email'] },
    { kind: 'SDK', execution: undefined, destination_allowlist: [] },
  );
  const report = async (outcome: object) => {
    const { json: told } = await governed.act({ parameters: { iban: SECRET } });
    assert.equal(told.execution.state, 'BY_AGENT');
    assert.deepEqual(told.explanation.obligations.mask, { parameters: ['iban'], result: ['*.email'] });
    const path = `/gateway/v1/actions/${told.action_id}/outcome`;
    return (await call(planes.gatewayUrl, 'POST', path, { token: governed.token, body: outcome })).json.execution;
  };
  assert.deepEqual((await report({ status: 'COMPLETED', result: [{ email: SECRET }, { email: SECRET, n: 1 }] })).result, [
    { email: '[masked]' },
    { email: '[masked]', n: 1 },
  ]);
  assert.equal((await report({ status: 'COMPLETED', result: `mail to ${SECRET}` })).result, '[masked]');
  assert.match((await report({ status: 'FAILED', error: `no such ${SECRET}` })).reason, /withheld/);
  await isNowhere(governed, SECRET);
});

test('a result that would be larger in the record than it arrived is returned to the agent, and not stored', async () => {
  const governed = await newGoverned(planes, {
    tool: { kind: 'HTTP', destination_allowlist: [address], execution: { method: 'POST', url: `http://${address}/pay` } },
  });
  const actAnswered = async (body: string) => {
    answer = { type: 'text/plain', body };
    const { json: told, text } = await governed.act({ parameters: {} });
    assert.equal(told.execution?.result, body, text.slice(0, 500));
    const { rows } = await database.query('select execution from actions where id = $1', [told.action_id]);
    return rows[0].execution;
  };
  const quotes = '"'.repeat(60_000);
  const { result, reason } = await actAnswered(quotes);
  assert.equal(result, null);
  assert.match(reason, /The result of 120002 characters is not recorded\.$/);
  const plain = 'x'.repeat(60_000);
  assert.equal((await actAnswered(plain)).result, plain);
});
