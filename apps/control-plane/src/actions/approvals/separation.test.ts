import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { type Answer, call, mustCall } from '@svc/testing/people/client.ts';
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

const codeOf = ({ status, json }: Answer): string => json?.error?.code ?? `${status}`;
const send = (token: string, method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
const must = (token: string, path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token, body });
const newKey = async (token: string): Promise<string> =>
  (await must(token, '/v1/api-keys', { name: 'ci', role_id: builtInRole('developer').id })).token;
const approve = (token: string, id: string) => send(token, 'POST', `/v1/approvals/${id}/approve`, {});
const heldBy = (held: Answer): string => {
  assert.equal(codeOf(held), 'APPROVAL_REQUIRED', held.text);
  return held.json.error.details.approval_id;
};
const person = ({ tenant }: Governed, role: 'admin' | 'developer' = 'admin'): Promise<InsertedPerson> =>
  insertPerson(database, tenant.organization_id, role, { steppedUp: true });

/** An agent registered by one person and authorized for the tool by another. */
const agentOf = async ({ tenant, tool }: Governed, registered: string, authorized: string) => {
  const agent = await newAgent({ ...tenant, token: registered }, { capabilities: ['pay'] });
  await must(authorized, `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  return { ...agent, token: await mintToken(planes.gatewayUrl, agent) };
};

test('rejects a vote by whoever registered or authorized the agent for a high-risk tool, through an API key too', async () => {
  for (const risk_rating of ['HIGH', 'CRITICAL']) {
    const governed = await newGoverned(planes, { rules: RULES, tool: { risk_rating } });
    const [ann, ben, cem] = [await person(governed), await person(governed), await person(governed)];
    for (const isByKey of [false, true]) {
      const [registers, authorizes] = isByKey ? [await newKey(ann.token), await newKey(ben.token)] : [ann.token, ben.token];
      const agent = await agentOf(governed, registers, authorizes);
      const id = heldBy(await governed.act({}, { token: agent.token }));
      assert.equal(codeOf(await approve(ann.token, id)), 'PERMISSION_DENIED', `registered, by key: ${isByKey}`);
      assert.equal(codeOf(await approve(ben.token, id)), 'PERMISSION_DENIED', `authorized, by key: ${isByKey}`);
      assert.equal(codeOf(await send(cem.token, 'POST', `/v1/approvals/${id}/delegate`, { user_id: ann.id })), 'UNPROCESSABLE');
      assert.equal(codeOf(await approve(cem.token, id)), '200');
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
  assert.equal(codeOf(await approve(governed.tenant.token, id)), 'PERMISSION_DENIED');
  assert.equal((await governed.owner('GET', `/v1/approvals/${id}`)).json.approvable, false);
  const used = await governed.act({ approval_id: id });
  assert.deepEqual([codeOf(used), used.json.error.details.no_approver], ['APPROVAL_REQUIRED', true]);
  const own = await call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${id}`, { token: governed.token });
  assert.equal(own.json.no_approver, true);
});
