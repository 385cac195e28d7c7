import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { PLATFORM_KEY_PATH } from '@svc/contract/tables/wire-name.ts';
import { verifyPassport } from '@svc/keyring/tokens/passport.ts';
import { mintToken, newAgent, newKeyPair } from '@svc/testing/agents/agent.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token: s.tenant.token, headers, ...(body === undefined ? {} : { body }) });

let made = 0;
const declared = (more: object = {}) => {
  made += 1;
  const { workspace_id, environment_id } = s.tenant;
  return { name: `Agent ${made}`, workspace_id, environment_id, capabilities: [], ...more };
};
const create = async (more: object = {}) => {
  const answer = await send('POST', '/v1/agents', declared(more));
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data;
};
const eventsAbout = (id: string) => s.eventsOf(id, 'type', 'data', 'actor_id', 'workspace_id', 'environment_id');
const listPointers = ({ json }: TestResponse) => json.error.details.faults.map((fault: { pointer: string }) => fault.pointer);
const getRefusal = ({ status, json }: TestResponse) => [status, json?.error?.code];
const readPassport = async (id: string) => (await send('GET', `/v1/agents/${id}/passport`)).json;

test('createAgent registers an agent under its own key and returns no private one; getAgent returns the same agent', async () => {
  const { publicKey } = newKeyPair();
  const body = declared({ public_key: publicKey, capabilities: ['refund.create', 'a'], labels: { team: 'x' }, description: 'Pays back.' });
  const { status, json } = await send('POST', '/v1/agents', body);
  assert.equal(status, 201);
  const { agent, ...rest } = json.data;
  assert.deepEqual(rest, {});
  const { id, created_at, updated_at, ...stated } = agent;
  assert.match(id, /^agt_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual(stated, {
    ...body,
    capabilities: ['a', 'refund.create'],
    status: 'ACTIVE',
    key_generation: 1,
    expires_at: null,
    require_dpop: false,
    passport_version: 1,
    last_seen_at: null,
  });
  assert.equal(created_at, updated_at);
  assert.deepEqual((await send('GET', `/v1/agents/${id}`)).json, agent);
});

test('each registration is recorded as the agent, every capability and the passport, with its environment', async () => {
  const { agent } = await create({ capabilities: ['b', 'a'] });
  const events = await eventsAbout(agent.id);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.capability]),
    [
      ['agent.created', undefined],
      ['agent.capability_granted', 'a'],
      ['agent.capability_granted', 'b'],
    ],
  );
  for (const event of events) {
    assert.deepEqual(
      [event.actor_id, event.workspace_id, event.environment_id],
      [s.tenant.user.id, s.tenant.workspace_id, s.tenant.environment_id],
    );
  }
  const [issued] = await eventsAbout((await readPassport(agent.id)).id);
  assert.deepEqual([issued?.type, issued?.data.agent_id, issued?.data.version], ['passport.issued', agent.id, 1]);
});

/** Returns every row of every table as text. */
const wholeDatabase = async (): Promise<string> => {
  const { rows } = await s.owner.query("select table_name as name from information_schema.tables where table_schema = 'public'");
  const texts: string[] = [];
  for (const { name } of rows) for (const { row } of (await s.owner.query(`select t::text as row from ${name} t`)).rows) texts.push(row);
  return texts.join('\n');
};

test('a generated private key is returned once and not stored; a repeated request returns null instead', async () => {
  const body = declared();
  const headers = { 'idempotency-key': `generated-${made}` };
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST', '/v1/agents', body, headers)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ json }) => json.data.agent.id)).size, 1);
  const keys = answers.map(({ json }) => json.data.private_key);
  assert.equal(keys.filter((key) => key === null).length, 7);
  const secret: string = keys.find((key) => key !== null);
  const pair = createPublicKey(createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' }));
  const publicKey = pair.export({ format: 'der', type: 'spki' }).toString('base64');
  assert.equal(answers[0]?.json.data.agent.public_key, publicKey);
  const stored = await wholeDatabase();
  assert.ok(stored.includes(publicKey));
  // The seed is the end of the PKCS8 form; nothing that reveals it may be stored either.
  const seed = Buffer.from(secret, 'base64').subarray(-32);
  for (const form of [secret, seed.toString('base64').slice(0, 40), seed.toString('hex'), seed.toString('base64url').slice(0, 40)]) {
    assert.ok(!stored.includes(form));
  }
  assert.ok(!s.planes.logs().includes(secret));
});

test('an environment must belong to the workspace, and both to the caller; foreign ones are answered like unknown ones', async () => {
  const stranger = await newTenant(s.planes);
  const elsewhere = await mustCall(s.planes.controlUrl, 'POST', '/v1/workspaces', { token: s.tenant.token, body: { name: 'Elsewhere' } });
  const crossed = await send('POST', '/v1/agents', declared({ workspace_id: elsewhere.id }));
  assert.deepEqual([...getRefusal(crossed), listPointers(crossed)], [400, 'VALIDATION_FAILED', ['/environment_id']]);
  const text = async (more: object) => {
    const answer = await send('POST', '/v1/agents', declared(more));
    assert.deepEqual(getRefusal(answer), [404, 'NOT_FOUND']);
    return answer.text.replace(answer.json.error.request_id, '');
  };
  const never = 'env_7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
  assert.equal(await text({ environment_id: stranger.environment_id }), await text({ environment_id: never }));
  assert.equal(
    await text({ workspace_id: stranger.workspace_id, environment_id: stranger.environment_id }),
    await text({ workspace_id: 'wsp_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', environment_id: never }),
  );
  assert.equal(await text({ workspace_id: stranger.workspace_id }), await text({ workspace_id: 'wsp_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }));
});

test('a name identifies one agent of an environment, also under concurrent requests, and is free again after a revocation', async () => {
  const { name } = declared();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST', '/v1/agents', declared({ name }))));
  const won = answers.filter(({ status }) => status === 201);
  assert.equal(won.length, 1);
  for (const lost of answers.filter((answer) => answer.status !== 201)) assert.deepEqual(getRefusal(lost), [409, 'ALREADY_EXISTS']);
  const staging = await mustCall(s.planes.controlUrl, 'POST', '/v1/environments', {
    token: s.tenant.token,
    body: { workspace_id: s.tenant.workspace_id, name: `Staging ${made}`, type: 'STAGING' },
  });
  await create({ name, environment_id: staging.id });
  const id = won[0]?.json.data.agent.id;
  assert.equal((await send('POST', `/v1/agents/${id}/revoke`, { reason: 'gone' })).status, 200);
  await create({ name });
});

test('invalid capabilities are refused with their pointers and leave nothing behind', async () => {
  const count = async () => (await s.owner.query('select count(*)::int as n from agents')).rows[0].n;
  const earlier = await count();
  const refused: readonly (readonly [object, string])[] = [
    [{ capabilities: ['Refund'] }, '/capabilities/0'],
    [{ capabilities: ['a', '*'] }, '/capabilities/1'],
    [{ capabilities: ['a', 'a'] }, '/capabilities'],
    [{ capabilities: Array.from({ length: 101 }, (_, n) => `c${n}`) }, '/capabilities'],
    [{ capabilities: 'a' }, '/capabilities'],
    [{ labels: { __proto__: null, Team: 'x' } }, '/labels/Team'],
    [{ labels: { team: 1 } }, '/labels/team'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(121) }, '/name'],
    [{ status: 'ACTIVE' }, '/status'],
    [{ id: 'agt_00000000000000000000000001' }, '/id'],
  ];
  for (const [more, pointer] of refused) {
    const answer = await send('POST', '/v1/agents', declared(more));
    assert.deepEqual(
      [...getRefusal(answer), listPointers(answer)],
      [400, 'VALIDATION_FAILED', [pointer]],
      JSON.stringify(more).slice(0, 80),
    );
  }
  assert.equal(await count(), earlier);
});

test('getAgentPassport returns the passport, signed so that the published key alone verifies it', async () => {
  const { agent } = await create({ capabilities: ['b', 'a'] });
  const passport = await readPassport(agent.id);
  const published = await mustCall(s.planes.gatewayUrl, 'GET', PLATFORM_KEY_PATH);
  const claims = verifyPassport(passport.token, published.keys[0].jwk, Date.now());
  assert.ok(!('refused' in claims));
  const { public_key_thumbprint, ...stated } = claims;
  assert.match(public_key_thumbprint, /^[\w-]{43}$/);
  assert.deepEqual(stated, {
    agent_id: agent.id,
    name: agent.name,
    organization_id: s.tenant.organization_id,
    environment_id: s.tenant.environment_id,
    capabilities: ['a', 'b'],
    key_generation: 1,
    version: 1,
    issued_at: passport.issued_at,
    expires_at: passport.expires_at,
  });
  assert.equal(Date.parse(passport.expires_at) - Date.parse(passport.issued_at), 365 * 86_400_000);
  assert.equal('refused' in verifyPassport(`${passport.token}x`, published.keys[0].jwk, Date.now()), true);
});

test('the passport of a revoked agent is no longer returned', async () => {
  const { agent } = await create();
  const { id } = await readPassport(agent.id);
  assert.equal((await send('POST', `/v1/agents/${agent.id}/revoke`, { reason: 'gone' })).status, 200);
  assert.deepEqual(getRefusal(await send('GET', `/v1/agents/${agent.id}/passport`)), [410, 'GONE']);
  assert.deepEqual(
    (await eventsAbout(id)).map(({ type }) => type),
    ['passport.issued', 'passport.revoked'],
  );
});

test('updateAgent issues a new version of the passport for a new name, and none for labels and description', async () => {
  const { agent } = await create({ labels: { b: '1', a: '2' } });
  const patch = (body: unknown) => send('PATCH', `/v1/agents/${agent.id}`, body);
  const described = (await patch({ description: 'New.', labels: { c: '3' } })).json;
  assert.deepEqual([described.passport_version, described.description, described.labels], [1, 'New.', { c: '3' }]);
  const renamed = (await patch({ name: 'Another name' })).json;
  assert.deepEqual([renamed.passport_version, renamed.name], [2, 'Another name']);
  assert.deepEqual((await send('GET', `/v1/agents/${agent.id}`)).json, renamed);
  assert.equal((await readPassport(agent.id)).version, 2);
  const updates = (await eventsAbout(agent.id)).filter(({ type }) => type === 'agent.updated').map(({ data }) => data);
  assert.deepEqual(updates, [
    { before: { description: '', labels: { a: '2', b: '1' } }, after: { description: 'New.', labels: { c: '3' } } },
    { before: { name: agent.name }, after: { name: 'Another name' } },
  ]);
});

test('a patch that changes nothing writes nothing, regardless of label order; an empty one and unknown members are refused', async () => {
  const { agent } = await create({ labels: { b: '1', a: '2' }, description: 'D' });
  const { id, name } = agent;
  const same = await send('PATCH', `/v1/agents/${id}`, { name, description: 'D', labels: { b: '1', a: '2' } });
  assert.deepEqual(same.json, agent);
  assert.equal((await eventsAbout(id)).filter(({ type }) => type === 'agent.updated').length, 0);
  assert.deepEqual(getRefusal(await send('PATCH', `/v1/agents/${id}`, {})), [400, 'VALIDATION_FAILED']);
  for (const member of ['status', 'public_key', 'capabilities', 'environment_id', 'key_generation']) {
    assert.deepEqual(listPointers(await send('PATCH', `/v1/agents/${id}`, { [member]: 'x' })), [`/${member}`]);
  }
});

test('the name of another agent is refused, and a revoked agent cannot be renamed', async () => {
  const [one, other] = [(await create()).agent, (await create()).agent];
  assert.deepEqual(getRefusal(await send('PATCH', `/v1/agents/${one.id}`, { name: other.name })), [409, 'ALREADY_EXISTS']);
  assert.equal((await readPassport(one.id)).version, 1);
  await send('POST', `/v1/agents/${one.id}/revoke`, { reason: 'gone' });
  const refused = await send('PATCH', `/v1/agents/${one.id}`, { name: 'Back' });
  assert.deepEqual([...getRefusal(refused), refused.json.error.details.from], [400, 'INVALID_STATE_TRANSITION', 'REVOKED']);
});

test('grantCapability and revokeCapability each issue a new version of the passport that states the capabilities', async () => {
  const { agent } = await create({ capabilities: ['b'] });
  const path = `/v1/agents/${agent.id}/capabilities`;
  const granted = await send('POST', path, { capability: 'a' });
  assert.deepEqual([granted.status, granted.json.capabilities, granted.json.passport_version], [201, ['a', 'b'], 2]);
  assert.deepEqual(getRefusal(await send('POST', path, { capability: 'a' })), [409, 'ALREADY_EXISTS']);
  const withdrawn = await send('DELETE', `${path}/b`);
  assert.deepEqual([withdrawn.status, withdrawn.json.capabilities, withdrawn.json.passport_version], [200, ['a'], 3]);
  assert.deepEqual(getRefusal(await send('DELETE', `${path}/b`)), [404, 'NOT_FOUND']);
  assert.deepEqual(getRefusal(await send('DELETE', `${path}/..%2Fx`)), [404, 'NOT_FOUND']);
  assert.deepEqual((await send('GET', `/v1/agents/${agent.id}`)).json, withdrawn.json);
  const told = (await eventsAbout(agent.id)).slice(-2).map(({ type, data }) => [type, data.capability]);
  assert.deepEqual(told, [
    ['agent.capability_granted', 'a'],
    ['agent.capability_revoked', 'b'],
  ]);
  assert.deepEqual(listPointers(await send('POST', path, { capability: 'No' })), ['/capability']);
});

test('concurrently granted capabilities each get their passport version; the same one is granted once', async () => {
  const { agent } = await create();
  const grant = (capability: string) => send('POST', `/v1/agents/${agent.id}/capabilities`, { capability });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => grant(`c${n % 4}`)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 409, 409, 409, 409]);
  const { capabilities, passport_version } = (await send('GET', `/v1/agents/${agent.id}`)).json;
  assert.deepEqual([capabilities, passport_version], [['c0', 'c1', 'c2', 'c3'], 5]);
  const { rows } = await s.owner.query('select version from passports where agent_id = $1 order by version', [agent.id]);
  assert.deepEqual(
    rows.map(({ version }) => version),
    [1, 2, 3, 4, 5],
  );
});

test('an agent has at most a hundred capabilities, all in its passport, and those of a revoked agent cannot change', async () => {
  const { agent } = await create({ capabilities: Array.from({ length: 100 }, (_, n) => `${'c'.repeat(90)}${n}`) });
  const path = `/v1/agents/${agent.id}/capabilities`;
  assert.deepEqual(listPointers(await send('POST', path, { capability: 'one.more' })), ['/capability']);
  assert.equal((await send('GET', `/v1/agents/${agent.id}`)).json.capabilities.length, 100);
  const published = await mustCall(s.planes.gatewayUrl, 'GET', PLATFORM_KEY_PATH);
  const claims = verifyPassport((await readPassport(agent.id)).token, published.keys[0].jwk, Date.now());
  assert.equal('capabilities' in claims && claims.capabilities.length, 100);
  await send('POST', `/v1/agents/${agent.id}/revoke`, { reason: 'gone' });
  const [held] = agent.capabilities;
  assert.deepEqual(getRefusal(await send('POST', path, { capability: 'x' })), [400, 'INVALID_STATE_TRANSITION']);
  assert.deepEqual(getRefusal(await send('DELETE', `${path}/${held}`)), [400, 'INVALID_STATE_TRANSITION']);
});

const listAgents = async (query: Record<string, string>, token = s.tenant.token) =>
  (await call(s.planes.controlUrl, 'GET', `/v1/agents?${new URLSearchParams(query)}`, { token })).json;

test('listAgents counts all matches and returns the newest first, page by page', async () => {
  const part = `list${newUlid()}`;
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await create({ name: `${part} ${n}` })).agent.id);
  const getIds = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id);
  const all = await listAgents({ q: part.toLowerCase() });
  assert.deepEqual([getIds(all), all.total], [ids, 5]);
  const middle = await listAgents({ q: part, limit: '2', offset: '2' });
  assert.deepEqual([getIds(middle), middle.total], [ids.slice(2, 4), 5]);
  const beyond = await listAgents({ q: part, offset: '100' });
  assert.deepEqual([beyond.items, beyond.total], [[], 5]);
  await send('POST', `/v1/agents/${ids[0]}/pause`);
  assert.deepEqual(getIds(await listAgents({ q: part, status: 'PAUSED' })), [ids[0]]);
  for (const wild of ['%', '_', `${part.slice(0, -1)}_`, '\\']) assert.equal((await listAgents({ q: wild })).total, 0, wild);
  for (const [name, value] of [
    ['limit', '0'],
    ['limit', '201'],
    ['limit', 'x'],
    ['offset', '-1'],
    ['status', 'GONE'],
  ] as const) {
    assert.equal((await listAgents({ [name]: value })).error.code, 'VALIDATION_FAILED', `${name}=${value}`);
  }
});

test('the operational columns count current objects and decisions of the last day, for each agent separately', async () => {
  const part = `busy${newUlid()}`;
  const [busy, idle] = [await newAgent(s.tenant, { name: `${part} 1` }), await newAgent(s.tenant, { name: `${part} 2` })];
  const columns = async () =>
    (await listAgents({ q: part })).items.map(({ sessions, decisions_24h, blocked_24h, pending_approvals }: Record<string, number>) => [
      sessions,
      decisions_24h,
      blocked_24h,
      pending_approvals,
    ]);
  const [first] = [
    await mintToken(s.planes.gatewayUrl, busy),
    await mintToken(s.planes.gatewayUrl, busy),
    await mintToken(s.planes.gatewayUrl, busy),
  ];
  await mustCall(s.planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token: first });
  await s.owner.query(
    "update agent_sessions set expires_at = now() - interval '1 second' where id = (select max(id) from agent_sessions where agent_id = $1)",
    [busy.id],
  );
  const who = { agent_id: busy.id };
  const dayAgo = (ms: number) => new Date(Date.now() - 86_400_000 + ms);
  await insertAction(s.owner, s.tenant, who);
  await insertAction(s.owner, s.tenant, { ...who, status: 'BLOCKED', decision: 'BLOCK' });
  await insertAction(s.owner, s.tenant, { ...who, status: 'OBSERVED', decision: 'BLOCK' });
  await insertAction(s.owner, s.tenant, { ...who, created_at: dayAgo(60_000), id: `act_${newUlid(dayAgo(60_000).getTime())}` });
  await insertAction(s.owner, s.tenant, { ...who, created_at: dayAgo(-1), id: `act_${newUlid(dayAgo(-1).getTime())}` });
  await insertAction(s.owner, s.tenant, { ...who, created_at: dayAgo(-1) });
  await insertHeldAction(s.owner, s.tenant, {}, who);
  await insertHeldAction(s.owner, s.tenant, { expires_at: new Date(Date.now() - 1000) }, who);
  await insertHeldAction(s.owner, s.tenant, { status: 'DENIED' }, who);
  assert.deepEqual(await columns(), [
    [0, 0, 0, 0],
    [1, 7, 1, 1],
  ]);
  await send('POST', `/v1/agents/${busy.id}/suspend`, { reason: 'look' });
  assert.equal((await columns())[1][0], 0);
  const seen = (await send('GET', `/v1/agents/${busy.id}`)).json.last_seen_at;
  assert.ok(Math.abs(Date.parse(seen) - Date.now()) < 60_000);
  assert.equal((await send('GET', `/v1/agents/${idle.id}`)).json.last_seen_at, null);
});

test('counts only the newest thousand decisions of a very busy agent', async () => {
  const name = `frantic${newUlid()}`;
  const { id: agent_id } = await newAgent(s.tenant, { name });
  const first = await insertAction(s.owner, s.tenant, { agent_id, status: 'BLOCKED' });
  await s.owner.query(
    `insert into actions select (jsonb_populate_record(a, jsonb_build_object('id', $2 || lpad(n::text, 10, '0'), 'status', 'COMPLETED'))).*
       from actions a, generate_series(1, 1200) n where a.id = $1`,
    [first, `act_${newUlid().slice(0, 16)}`],
  );
  const [{ decisions_24h, blocked_24h }] = (await listAgents({ q: name })).items;
  assert.deepEqual([decisions_24h, blocked_24h], [1000, 0]);
});

test('getAgentHealth states what blocks the agent, and which client it reported', async () => {
  const agent = await newAgent(s.tenant, { capabilities: ['a'] });
  const health = async () => (await send('GET', `/v1/agents/${agent.id}/health`)).json;
  const wrong = async () => (await health()).checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ check }: { check: string }) => check);
  assert.deepEqual([(await health()).operational, (await health()).sdk, await wrong()], [true, null, ['session']]);
  await mintToken(s.planes.gatewayUrl, agent);
  await insertAction(s.owner, s.tenant, { agent_id: agent.id, status: 'UNKNOWN' });
  const { checks: _, checked_at, last_seen_at, ...rest } = await health();
  assert.ok(Date.parse(checked_at) >= Date.parse(last_seen_at));
  assert.deepEqual(rest, {
    agent_id: agent.id,
    status: 'ACTIVE',
    operational: true,
    sessions: 1,
    sdk: { name: 'test', version: '1.0.0', runtime: 'node' },
    decisions_24h: 1,
    blocked_24h: 0,
    failed_24h: 1,
    pending_approvals: 0,
  });
  await s.owner.query("update passports set expires_at = now() - interval '1 second' where agent_id = $1", [agent.id]);
  assert.deepEqual([(await health()).operational, await wrong()], [false, ['passport']]);
  await send('POST', `/v1/agents/${agent.id}/suspend`, { reason: 'look' });
  assert.deepEqual([(await health()).operational, await wrong()], [false, ['status', 'passport', 'session']]);
});

test('getAgentAuthority names each capability with its grant, and for each tool the code that the pipeline would return', async () => {
  const here = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, here);
  const post = (path: string, body: object) => mustCall(s.planes.controlUrl, 'POST', path, { token: here.token, body });
  const agent = await newAgent(here, { capabilities: ['pay'] });
  const tool = (name: string, required_capability: string) =>
    post('/v1/tools', { name, environment_id: here.environment_id, required_capability, kind: 'SDK' });
  const [usable, disabled, lacking] = [await tool('usable', 'pay'), await tool('disabled', 'pay'), await tool('lacking', 'other')];
  for (const { id } of [usable, disabled, lacking]) await post(`/v1/tools/${id}/agents`, { agent_id: agent.id });
  await tool('unauthorized', 'pay');
  await post(`/v1/tools/${disabled.id}/disable`, { reason: 'broken' });
  const authority = () => mustCall(s.planes.controlUrl, 'GET', `/v1/agents/${agent.id}/authority`, { token: here.token });
  const codes = async () => Object.fromEntries((await authority()).tools.map(({ name, code }: Record<string, string>) => [name, code]));
  const { agent_id, capabilities, delegations } = await authority();
  assert.deepEqual([agent_id, delegations], [agent.id, []]);
  assert.deepEqual(
    capabilities.map(({ capability, source, granted_by }: Record<string, string>) => [capability, source, granted_by]),
    [['pay', 'GRANT', here.user.id]],
  );
  const expected = { usable: null, disabled: 'TOOL_DISABLED', lacking: 'CAPABILITY_NOT_GRANTED', unauthorized: 'TOOL_NOT_AUTHORIZED' };
  assert.deepEqual(await codes(), expected);
  await post(`/v1/agents/${agent.id}/pause`, {});
  assert.deepEqual(new Set(Object.values(await codes())), new Set(['AGENT_NOT_OPERATIONAL']));
  await post(`/v1/environments/${here.environment_id}/pause`, { reason: 'stop' });
  assert.deepEqual(new Set(Object.values(await codes())), new Set(['ENVIRONMENT_PAUSED']));
  assert.ok((await authority()).tools.every(({ usable: can }: { usable: boolean }) => !can));
});
