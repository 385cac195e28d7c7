import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

const RULES = [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'r', approval: { approver_role: 'admin' } }];

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? `${status}`;
const send = (token: string, method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
const must = (token: string, path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token, body });
const newKey = async (token: string, role: 'developer' | 'admin' = 'developer'): Promise<string> =>
  (await must(token, '/v1/api-keys', { name: 'ci', role_id: getBuiltInRole(role).id })).token;
const approve = (token: string, id: string) => send(token, 'POST', `/v1/approvals/${id}/approve`, {});
const heldBy = (held: TestResponse): string => {
  assert.equal(getCode(held), 'APPROVAL_REQUIRED', held.text);
  return held.json.error.details.approval_id;
};
const person = ({ tenant }: Governed, role: 'admin' | 'developer' = 'admin'): Promise<InsertedPerson> =>
  insertPerson(database, tenant.organization_id, role, { steppedUp: true });

/** Creates an agent registered by one person and authorized for the tool by another. */
const readAgent = async ({ tenant, tool }: Governed, registered: string, authorized: string) => {
  const agent = await newAgent({ ...tenant, token: registered }, { capabilities: ['pay'] });
  await must(authorized, `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  return { ...agent, token: await mintToken(planes.gatewayUrl, agent) };
};

test('rejects a vote by a person who registered or authorized the agent for a high-risk tool, through an API key too', async () => {
  for (const risk_rating of ['HIGH', 'CRITICAL']) {
    const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating } });
    const [ann, ben, cem] = [await person(governed), await person(governed), await person(governed)];
    for (const isByKey of [false, true]) {
      // An API key authorizes no agent for a critical tool in production.
      const [registers, authorizes] = isByKey
        ? [await newKey(ann.token), risk_rating === 'CRITICAL' ? ben.token : await newKey(ben.token)]
        : [ann.token, ben.token];
      const agent = await readAgent(governed, registers, authorizes);
      const id = heldBy(await governed.act({}, { token: agent.token }));
      assert.equal(getCode(await approve(ann.token, id)), 'PERMISSION_DENIED', `registered, by key: ${isByKey}`);
      assert.equal(getCode(await approve(ben.token, id)), 'PERMISSION_DENIED', `authorized, by key: ${isByKey}`);
      assert.equal(getCode(await send(cem.token, 'POST', `/v1/approvals/${id}/delegate`, { user_id: ann.id })), 'UNPROCESSABLE');
      assert.equal(getCode(await approve(cem.token, id)), '200');
    }
  }
});

test('rejects an approval by the only person of an organization for their own agent and a critical tool', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'CRITICAL' } });
  const held = await governed.act({});
  const id = heldBy(held);
  assert.equal(held.json.error.details.no_approver, true);
  assert.match(held.json.error.details.remedy, /separation/);
  assert.equal(held.json.error.details.decision.approval.no_approver, true);
  assert.equal(getCode(await approve(governed.tenant.token, id)), 'PERMISSION_DENIED');
  assert.equal((await governed.owner('GET', `/v1/approvals/${id}`)).json.approvable, false);
  const used = await governed.act({ approval_id: id });
  assert.deepEqual([getCode(used), used.json.error.details.no_approver], ['APPROVAL_REQUIRED', true]);
  const own = await call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${id}`, { token: governed.token });
  assert.equal(own.json.no_approver, true);
});

const patchEnvironment = ({ tenant }: Governed, token: string, body: object) =>
  send(token, 'PATCH', `/v1/environments/${tenant.environment_id}`, body);

test('lets people behind the agent vote on a high-risk tool where the environment allows it and no one else can', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'HIGH' } });
  const { tenant } = governed;
  assert.equal((await governed.owner('GET', '/v1/environments')).json[0].separation, 'STRICT');
  const weaker = { separation: 'WHEN_POSSIBLE', reason: 'We are two people.' };
  const id = heldBy(await governed.act({}));
  assert.equal(getCode(await patchEnvironment(governed, await newKey(tenant.token, 'admin'), weaker)), 'STEP_UP_REQUIRED');
  const unproved = await insertPerson(database, tenant.organization_id, 'admin', { steppedUp: false });
  assert.equal(getCode(await patchEnvironment(governed, unproved.token, weaker)), 'STEP_UP_REQUIRED');
  await database.query('delete from members where user_id = $1', [unproved.id]);
  assert.equal(getCode(await patchEnvironment(governed, tenant.token, { separation: 'WHEN_POSSIBLE' })), 'VALIDATION_FAILED', 'a reason');
  assert.equal((await patchEnvironment(governed, tenant.token, weaker)).json.separation, 'WHEN_POSSIBLE');
  const { rows } = await database.query(
    "select severity, data::jsonb - 'record_digests' as data from audit_events where type = 'environment.updated' and subject_id = $1",
    [tenant.environment_id],
  );
  assert.deepEqual(
    rows.map(({ severity, data }) => [severity, data.before, data.after]),
    [['critical', { separation: 'STRICT' }, { separation: 'WHEN_POSSIBLE' }]],
  );
  const waiting = await governed.act({ approval_id: id });
  assert.deepEqual([getCode(waiting), waiting.json.error.details.no_approver], ['APPROVAL_REQUIRED', undefined]);
  const other = await person(governed);
  assert.equal(getCode(await approve(tenant.token, id)), 'PERMISSION_DENIED', 'someone else can');
  await database.query('delete from members where user_id = $1', [other.id]);
  assert.equal(getCode(await approve(tenant.token, id)), '200');
});

test('refuses the use of an approval that depends on people behind the agent once the environment is strict', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'HIGH' } });
  const { tenant } = governed;
  await patchEnvironment(governed, tenant.token, { separation: 'WHEN_POSSIBLE', reason: 'r' });
  const id = heldBy(await governed.act({}));
  assert.equal(getCode(await approve(tenant.token, id)), '200');
  assert.equal(getCode(await patchEnvironment(governed, tenant.token, { separation: 'STRICT' })), '200');
  const used = await governed.act({ approval_id: id });
  assert.deepEqual(
    [getCode(used), /created its key or authorized it/.test(used.json.error.message)],
    ['APPROVAL_NOT_GRANTED', true],
    used.text,
  );
});

test('excludes people behind the agent from a low-risk tool only while someone else can vote', async () => {
  for (const risk_rating of ['LOW', 'MEDIUM']) {
    const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating } });
    const alone = await governed.act({});
    assert.equal(alone.json.error.details.no_approver, undefined);
    assert.equal(getCode(await approve(governed.tenant.token, heldBy(alone))), '200');
    const id = heldBy(await governed.act({}));
    const ann = await person(governed);
    const refused = await approve(governed.tenant.token, id);
    assert.deepEqual([getCode(refused), refused.json.error.details.excluded_because], ['PERMISSION_DENIED', 'AGENT']);
    assert.equal(getCode(await approve(ann.token, id)), '200');
  }
});

test('excludes people who granted the capability or keyed or delegated through another agent of theirs', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'CRITICAL' } });
  const { tenant, tool } = governed;
  const [ann, ben, cem, dan] = [await person(governed), await person(governed), await person(governed), await person(governed)];
  const granted = await newAgent({ ...tenant, token: ann.token }, { capabilities: [] });
  assert.equal((await send(ben.token, 'POST', `/v1/agents/${granted.id}/capabilities`, { capability: 'pay' })).status, 201);
  await must(ann.token, `/v1/tools/${tool.id}/agents`, { agent_id: granted.id });
  const first = heldBy(await governed.act({}, { token: await mintToken(planes.gatewayUrl, granted) }));
  assert.deepEqual([getCode(await approve(ben.token, first)), getCode(await approve(cem.token, first))], ['PERMISSION_DENIED', '200']);
  // Ann's agent delegates its grants to an agent of Ben and Cem.
  const own = await readAgent(governed, ann.token, ann.token);
  const theirs = await readAgent(governed, ben.token, cem.token);
  const handed = await call(planes.gatewayUrl, 'POST', '/gateway/v1/delegations', {
    token: own.token,
    body: { delegate_agent_id: theirs.id },
  });
  assert.equal(handed.status, 201, handed.text);
  const second = heldBy(await governed.act({ delegation_id: handed.json.id }, { token: theirs.token }));
  for (const each of [ann, ben, cem]) assert.equal(getCode(await approve(each.token, second)), 'PERMISSION_DENIED');
  assert.equal(getCode(await approve(dan.token, second)), '200');
});

test('excludes the person who authorized the agent at the time of the request, though another has authorized it since', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'HIGH' } });
  const [ann, ben, cem] = [await person(governed), await person(governed), await person(governed)];
  const agent = await readAgent(governed, ann.token, ben.token);
  const id = heldBy(await governed.act({}, { token: agent.token }));
  const path = `/v1/tools/${governed.tool.id}/agents`;
  assert.equal((await send(ben.token, 'DELETE', `${path}/${agent.id}`)).status, 200);
  assert.equal((await send(cem.token, 'POST', path, { agent_id: agent.id })).status, 201);
  for (const each of [ann, ben, cem]) assert.equal(getCode(await approve(each.token, id)), 'PERMISSION_DENIED', each.name);
});

test('cancels an approval whose voter authorizes the agent before it is used', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'HIGH' } });
  const [ann, ben] = [await person(governed), await person(governed)];
  for (const isByGrant of [false, true]) {
    const agent = await readAgent(governed, governed.tenant.token, governed.tenant.token);
    const [theirs, others] = [heldBy(await governed.act({}, agent)), heldBy(await governed.act({}, agent))];
    assert.deepEqual([getCode(await approve(ann.token, theirs)), getCode(await approve(ben.token, others))], ['200', '200']);
    const [path, body] = isByGrant
      ? [`/v1/agents/${agent.id}/capabilities`, { capability: 'pay' }]
      : [`/v1/tools/${governed.tool.id}/agents`, { agent_id: agent.id }];
    // Only a person can restore what a person withdrew, so an API key withdraws it.
    const withdrawn = await send(await newKey(governed.tenant.token, 'admin'), 'DELETE', `${path}/${isByGrant ? 'pay' : agent.id}`);
    assert.equal(withdrawn.status, 200, withdrawn.text);
    assert.equal((await send(await newKey(ann.token), 'POST', path, body)).status, 201);
    const token = await mintToken(planes.gatewayUrl, agent);
    const use = async (approval_id: string) => getCode(await governed.act({ approval_id }, { token }));
    assert.deepEqual([await use(theirs), await use(others)], ['APPROVAL_NOT_GRANTED', '200'], `by grant: ${isByGrant}`);
  }
});

test('states that no one can approve until someone may, for every requester and any retry', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'CRITICAL' } });
  const { tenant, agent, tool } = governed;
  const body = { agent_id: agent.id, tool: tool.name };
  const ask = () =>
    call(planes.controlUrl, 'POST', '/v1/actions/evaluate', { token: tenant.token, body, headers: { 'idempotency-key': 'once' } });
  const [first, again] = [await ask(), await ask()];
  for (const { json, text } of [first, again]) {
    assert.deepEqual([json.approval?.no_approver, json.details?.no_approver, typeof json.details?.remedy], [true, true, 'string'], text);
  }
  const byAgent = () => governed.act({}, { key: 'k-1' });
  const held = await byAgent();
  assert.equal((await byAgent()).json.error.details.no_approver, true, 'a repeated key');
  const card = async () => (await governed.owner('GET', `/v1/approvals/${heldBy(held)}`)).json;
  assert.match((await card()).remedy, /WHEN_POSSIBLE/);
  await person(governed, 'developer');
  assert.equal((await card()).approvable, false, 'who may not approve changes nothing');
  const ann = await person(governed);
  assert.deepEqual([(await card()).approvable, (await card()).remedy], [true, null]);
  assert.equal((await byAgent()).json.error.details.no_approver, undefined);
  assert.equal(getCode(await approve(ann.token, heldBy(held))), '200');
});

test('reads who may approve in the database for the tenant of the transaction only', async () => {
  const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating: 'HIGH' } });
  const other = await newGoverned(planes);
  const id = heldBy(await governed.act({}));
  const readAs = async (organizationId: string) => {
    await database.query('begin');
    await database.query("select set_config('svc.organization_id', $1, true)", [organizationId]);
    const links = await database.query('select user_id from svc_approval_links($1)', [[id]]);
    const could = await database.query('select svc_could_approve($1, 5) as could', [id]);
    await database.query('rollback');
    return [links.rows.length > 0, could.rows[0].could.terms !== null, could.rows[0].could.people.length];
  };
  assert.deepEqual(await readAs(governed.tenant.organization_id), [true, true, 1]);
  assert.deepEqual(await readAs(other.tenant.organization_id), [false, false, 0]);
});
