import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
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
const send = (token: string, path: string, body: object) => call(planes.controlUrl, 'POST', path, { token, body });
const admin = ({ tenant }: Delegating) => insertPerson(database, tenant.organization_id, 'admin');
const newKey = async (token: string): Promise<string> =>
  (await newControlClient(planes.controlUrl, token).createApiKey({ body: { name: 'ci', role_id: getBuiltInRole('developer').id } })).token;

/** Requests an action of the second agent under a delegation; returns the id of the pending approval. */
const ask = async (own: Delegating, made: TestResponse): Promise<string> => {
  assert.equal(made.status, 201, made.text);
  return (await own.actAs(1, { delegation_id: made.json.id })).json.error.details.approval_id;
};
const approve = async (token: string, id: string): Promise<string> => getCode(await send(token, `/v1/approvals/${id}/approve`, {}));

/** Replaces the first agent's key; returns a token obtained with the new key. */
const takeOver = async ({ agents: [agent] }: Delegating, by: string): Promise<string> => {
  assert.ok(agent);
  const { json, text } = await send(by, `/v1/agents/${agent.id}/rotate-credentials`, {});
  assert.ok(json.data, text);
  const privateKey = createPrivateKey({ key: Buffer.from(json.data.private_key, 'base64'), format: 'der', type: 'pkcs8' });
  return mintToken(planes.gatewayUrl, { ...agent, privateKey }, json.data.agent.key_generation);
};
const handOn = (token: string, body: object) => call(planes.gatewayUrl, 'POST', '/gateway/v1/delegations', { token, body });

test('rejects an approval by a person who delegated further, by hand or by key, in the name of an agent under the delegation of another person', async () => {
  const own = await newDelegating(planes, 2, { rules: RULES });
  const [ann, ben] = [await admin(own), await admin(own)];
  const below = { parent_id: await own.root(0), delegate_agent_id: own.agents[1]?.id };
  for (const by of [ann.token, await newKey(ann.token)]) {
    const id = await ask(own, await send(by, '/v1/delegations', below));
    const refused = await send(ann.token, `/v1/approvals/${id}/approve`, {});
    assert.deepEqual([getCode(refused), /created or passed on/.test(refused.json.error.message)], ['PERMISSION_DENIED', true]);
    assert.equal(getCode(await send(ben.token, `/v1/approvals/${id}/delegate`, { user_id: ann.id })), 'UNPROCESSABLE');
    assert.equal(await approve(ben.token, id), '200');
  }
});

test('rejects an approval of a request under what an agent delegated while the approver held its key', async () => {
  const own = await newDelegating(planes, 2, { rules: RULES });
  const [ann, ben] = [await admin(own), await admin(own)];
  const below = { parent_id: await own.root(0), delegate_agent_id: own.agents[1]?.id };
  const before = await own.handOn(0, below);
  const taken = await handOn(await takeOver(own, await newKey(ann.token)), below);
  const since = await handOn(await takeOver(own, own.tenant.token), below);
  const id = await ask(own, taken);
  assert.deepEqual([await approve(ann.token, id), await approve(ben.token, id)], ['PERMISSION_DENIED', '200']);
  for (const made of [before, since]) assert.equal(await approve(ann.token, await ask(own, made)), '200', 'their key did not hand it on');
});

test('rejects an approval of a request under grants that an agent delegated while the approver held its key', async () => {
  const own = await newDelegating(planes, 2, { rules: RULES });
  const [ann, ben] = [await admin(own), await admin(own)];
  const id = await ask(own, await handOn(await takeOver(own, ann.token), { delegate_agent_id: own.agents[1]?.id }));
  assert.deepEqual([await approve(ann.token, id), await approve(ben.token, id)], ['PERMISSION_DENIED', '200']);
});

test('accepts an approval by a person who delegated grants of an agent by hand, or may approve alone', async () => {
  const own = await newDelegating(planes, 2, { rules: RULES });
  const [from, to] = own.agents.map(({ id }) => id);
  const grants = { delegator: { type: 'AGENT', id: from }, delegate_agent_id: to };
  const ann = await admin(own);
  assert.equal(
    await approve(ann.token, await ask(own, await send(ann.token, '/v1/delegations', grants))),
    '200',
    'nobody else’s authority',
  );
  const alone = await newDelegating(planes, 2, { rules: RULES });
  const developer = await insertPerson(database, alone.tenant.organization_id, 'developer');
  const [first, second] = alone.agents.map(({ id }) => id);
  const root = await send(developer.token, '/v1/delegations', { delegate_agent_id: first, can_redelegate: true, max_depth: 2 });
  assert.equal(root.status, 201, root.text);
  const id = await ask(alone, await alone.delegate({ parent_id: root.json.id, delegate_agent_id: second }));
  assert.equal(await approve(alone.tenant.token, id), '200', 'there is nobody else');
});

test('the vote of the requester never counts, also after another voter has left', async () => {
  const two = [{ ...RULES[0], approval: { approver_role: 'admin', quorum: 2 } }];
  const own = await newDelegating(planes, 1, { rules: two });
  const [ann, ben, cem, dan] = [await admin(own), await admin(own), await admin(own), await admin(own)];
  const held = async (): Promise<string> => (await own.actAs(0, {})).json.error.details.approval_id;
  const readStatus = async (id: string): Promise<string> => (await own.owner('GET', `/v1/approvals/${id}`)).json.status;
  const remove = async ({ id }: { id: string }): Promise<void> => {
    const { rows } = await database.query('select id from members where user_id = $1', [id]);
    assert.equal((await own.owner('DELETE', `/v1/members/${rows[0].id}`)).status, 200);
  };
  const [asked, handed] = [await held(), await held()];
  for (const id of [asked, handed]) assert.equal(await approve(ann.token, id), '200');
  assert.equal(getCode(await send(dan.token, `/v1/approvals/${handed}/delegate`, { user_id: ben.id })), '200');
  await takeOver(own, ann.token);
  for (const { token } of [ben, cem]) for (const id of [asked, handed]) assert.equal(await approve(token, id), '200');
  assert.deepEqual(
    [await readStatus(asked), await readStatus(handed)],
    ['APPROVED', 'APPROVED'],
    'by two, one of them in the stead of another too',
  );
  await remove(dan);
  assert.deepEqual([await readStatus(asked), await readStatus(handed)], ['APPROVED', 'APPROVED'], 'it stands without them');
  await remove(cem);
  assert.deepEqual([await readStatus(asked), await readStatus(handed)], ['CANCELLED', 'CANCELLED']);
});
