import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? `${status}`;
const send = (token: string, method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
const newKey = async ({ tenant }: Governed, token = tenant.token): Promise<string> =>
  (await newControlClient(planes.controlUrl, token).createApiKey({ body: { name: 'ci', role_id: getBuiltInRole('developer').id } })).token;

/** Replaces the agent's key with a control-plane token; returns a token of the agent obtained with the new key. */
const takeOver = async ({ agent }: Governed, by: string): Promise<string> => {
  const { status, json, text } = await send(by, 'POST', `/v1/agents/${agent.id}/rotate-credentials`, {});
  assert.equal(status, 200, text);
  const privateKey = createPrivateKey({ key: Buffer.from(json.data.private_key, 'base64'), format: 'der', type: 'pkcs8' });
  return mintToken(planes.gatewayUrl, { ...agent, privateKey }, json.data.agent.key_generation);
};

test('authorizing an agent whose key was replaced without a step-up for a harmful tool requires a person with one, also outside production', async () => {
  for (const risk of [{ dangerous: true }, { risk_rating: 'CRITICAL' }]) {
    const governed = await newGoverned(planes, { tool: risk });
    const { agent, tool, tenant } = governed;
    await owner.query("update environments set type = 'STAGING' where id = $1", [tenant.environment_id]);
    const key = await newKey(governed);
    const authorize = (token: string) => send(token, 'POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    const withdraw = (token: string) => send(token, 'DELETE', `/v1/tools/${tool.id}/agents/${agent.id}`);
    assert.deepEqual([getCode(await withdraw(key)), getCode(await authorize(key))], ['200', '201'], 'its own key is no matter');
    assert.equal(getCode(await withdraw(key)), '200');
    const token = await takeOver(governed, key);
    const refused = await authorize(key);
    assert.deepEqual([getCode(refused), /key of the agent was replaced/.test(refused.json.error.message)], ['STEP_UP_REQUIRED', true]);
    assert.equal(getCode(await governed.act({}, { token })), 'TOOL_NOT_AUTHORIZED');
    assert.equal(getCode(await authorize(tenant.token)), '201', 'a person who has just proved who they are vouches for it');
    assert.equal(getCode(await withdraw(key)), '200');
    assert.equal(getCode(await authorize(key)), 'STEP_UP_REQUIRED', 'once');
    await takeOver(governed, tenant.token);
    assert.equal(getCode(await authorize(key)), '201', 'the key was replaced with a proof meanwhile');
  }
});

test('authorizing an agent whose key was replaced without a step-up for a harmless tool needs no step-up', async () => {
  const governed = await newGoverned(planes);
  const key = await newKey(governed);
  await takeOver(governed, key);
  const path = `/v1/tools/${governed.tool.id}/agents`;
  assert.equal(getCode(await send(key, 'DELETE', `${path}/${governed.agent.id}`)), '200');
  assert.equal(getCode(await send(key, 'POST', path, { agent_id: governed.agent.id })), '201');
});

const ASK = [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'r', approval: { approver_role: 'admin', quorum: 1 } }];
const getApproval = (held: TestResponse): string => held.json.error.details.approval_id;
const approve = (token: string, id: string) => send(token, 'POST', `/v1/approvals/${id}/approve`, {});

test('a person who replaced the key of an agent cannot approve its requests, before or after, directly or by an API key', async () => {
  const governed = await newGoverned(planes, { rules: ASK });
  const { organization_id } = governed.tenant;
  const [taker, other] = [await insertPerson(owner, organization_id, 'admin'), await insertPerson(owner, organization_id, 'admin')];
  const waiting = getApproval(await governed.act({ parameters: { sum: 1 } }));
  for (const by of [taker.token, await newKey(governed, taker.token)]) {
    const token = await takeOver(governed, by);
    const id = getApproval(await governed.act({ parameters: { by: by.length } }, { token }));
    const refused = await approve(taker.token, id);
    assert.deepEqual([getCode(refused), /replaced its key/.test(refused.json.error.message)], ['PERMISSION_DENIED', true]);
    assert.equal(getCode(await approve(other.token, id)), '200');
  }
  assert.equal(getCode(await approve(taker.token, waiting)), 'PERMISSION_DENIED', 'what waited when they came');
  const token = await takeOver(governed, governed.tenant.token);
  assert.equal(getCode(await approve(taker.token, waiting)), 'PERMISSION_DENIED', 'it waited through their time');
  const since = getApproval(await governed.act({ parameters: { sum: 2 } }, { token }));
  assert.equal(getCode(await approve(taker.token, since)), '200', 'their key was over when this was asked');
});

test('a person who replaces the key of an agent cannot use approvals that need their own vote, directly or by an API key', async () => {
  for (const isByKey of [false, true]) {
    const governed = await newGoverned(planes, { rules: ASK });
    const { organization_id } = governed.tenant;
    const [taker, other] = [await insertPerson(owner, organization_id, 'admin'), await insertPerson(owner, organization_id, 'admin')];
    const [own, theirs] = [getApproval(await governed.act({})), getApproval(await governed.act({}))];
    assert.deepEqual([getCode(await approve(taker.token, own)), getCode(await approve(other.token, theirs))], ['200', '200']);
    const token = await takeOver(governed, isByKey ? await newKey(governed, taker.token) : taker.token);
    const use = async (approval_id: string) => getCode(await governed.act({ approval_id }, { token }));
    assert.deepEqual([await use(own), await use(theirs)], ['APPROVAL_NOT_GRANTED', '200'], `by key: ${isByKey}`);
    const { rows } = await owner.query(
      "select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = 'approval.cancelled'",
      [own],
    );
    assert.match(rows[0].data.reason, /replaced the key/);
  }
});

test('a person who replaces the key of an agent concurrently with their approval cannot use it', async () => {
  const governed = await newGoverned(planes, { rules: ASK });
  const { organization_id } = governed.tenant;
  const [taker] = [await insertPerson(owner, organization_id, 'admin'), await insertPerson(owner, organization_id, 'admin')];
  let { token } = governed;
  for (let round = 0; round < 6; round += 1) {
    token = await takeOver(governed, governed.tenant.token);
    const id = getApproval(await governed.act({}, { token }));
    const [voted, taken] = await Promise.all([approve(taker.token, id), takeOver(governed, taker.token)]);
    assert.ok(['200', 'PERMISSION_DENIED'].includes(getCode(voted)), voted.text);
    const used = getCode(await governed.act({ approval_id: id }, { token: taken }));
    assert.ok(['APPROVAL_NOT_GRANTED', 'APPROVAL_REQUIRED'].includes(used), `${getCode(voted)}, then ${used}`);
  }
});

test('an approval by a sole owner stays valid when they replace the key', async () => {
  const governed = await newGoverned(planes, { rules: ASK });
  const id = getApproval(await governed.act({}));
  assert.equal(getCode(await approve(governed.tenant.token, id)), '200');
  const token = await takeOver(governed, governed.tenant.token);
  assert.equal(getCode(await governed.act({ approval_id: id }, { token })), '200');
});

test('a sole approver can approve requests of an agent that they registered or whose key they replaced', async () => {
  const governed = await newGoverned(planes, { rules: ASK });
  const { tenant } = governed;
  assert.equal(getCode(await approve(tenant.token, getApproval(await governed.act({ parameters: { sum: 1 } })))), '200');
  const token = await takeOver(governed, tenant.token);
  const ask = async (sum: number) => getApproval(await governed.act({ parameters: { sum } }, { token }));
  assert.equal(getCode(await approve(tenant.token, await ask(2))), '200', 'there is nobody else');
  const late = await ask(3);
  await insertPerson(owner, tenant.organization_id, 'approver');
  assert.equal(getCode(await approve(tenant.token, late)), 'PERMISSION_DENIED', 'and now there is');
});
