import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const getCode = (answer: TestResponse): string => answer.json?.error?.code ?? `${answer.status}`;

describe('delegate: an agent that names no parent', () => {
  test('delegates what people delegated to it, never its other grants', async () => {
    const own = await newDelegating(planes, 2);
    const root = await own.root(0, { scope: { capabilities: ['read'] } });
    const to = own.agents[1]?.id;
    const within = await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['read'] } });
    assert.deepEqual([within.status, within.json.parent_id], [201, root]);
    assert.equal(getCode(await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['pay'] } })), 'DELEGATION_ESCALATION');
  });

  test('delegates its own grants without a delegation to it, and no more than those', async () => {
    const own = await newDelegating(planes, 2);
    const to = own.agents[1]?.id;
    const made = await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['pay'] } });
    assert.deepEqual([made.status, made.json.parent_id, made.json.delegator.id], [201, null, own.agents[0]?.id]);
    const beyond = await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['admin'] } });
    assert.equal(getCode(beyond), 'DELEGATION_ESCALATION');
    const acted = await own.actAs(1, { delegation_id: made.json.id });
    assert.equal(acted.status, 200, acted.text);
    await own.owner('DELETE', `/v1/agents/${own.agents[0]?.id}/capabilities/pay`);
    assert.equal(getCode(await own.actAs(1, { delegation_id: made.json.id })), 'AUTHORITY_EXCEEDED');
  });

  test('cannot bypass a delegation of a person to either of the two agents', async () => {
    const own = await newDelegating(planes, 2);
    const made = await own.handOn(0, { delegate_agent_id: own.agents[1]?.id, scope: { capabilities: ['pay'] } });
    const narrowed = await own.root(0, { scope: { capabilities: ['read'] } });
    assert.equal(getCode(await own.actAs(1, { delegation_id: made.json.id })), 'DELEGATION_INVALID');
    await own.owner('POST', `/v1/delegations/${narrowed}/revoke`, { reason: 'test' });
    assert.equal((await own.actAs(1, { delegation_id: made.json.id })).status, 200);
    await own.root(1, { scope: { capabilities: ['read'] } });
    assert.equal(getCode(await own.actAs(1, { delegation_id: made.json.id })), 'DELEGATION_INVALID');
  });

  test('delegates nothing in an environment that is paused or archived', async () => {
    const own = await newDelegating(planes, 3);
    const root = await own.root(0);
    const [, paused, archived] = own.agents.map(({ id }) => ({ delegate_agent_id: id, parent_id: root }));
    const stop = (how: string) => own.owner('POST', `/v1/environments/${own.tenant.environment_id}/${how}`, { reason: 'test' });
    assert.equal((await stop('pause')).status, 200);
    assert.equal(getCode(await own.handOn(0, paused ?? {})), 'ENVIRONMENT_PAUSED');
    assert.equal((await stop('resume')).status, 200);
    assert.equal(getCode(await own.handOn(0, paused ?? {})), '201');
    assert.equal((await stop('archive')).status, 200);
    const over = getCode(await own.handOn(0, archived ?? {}));
    assert.equal(over, getCode(await own.actAs(0, {})), 'as whatever else it asks there');
    assert.notEqual(over, '201');
  });

  test('delegates once for repeated requests with one key', async () => {
    const own = await newDelegating(planes, 2);
    const body = { delegate_agent_id: own.agents[1]?.id };
    const answers = await Promise.all(Array.from({ length: 8 }, () => own.handOn(0, body, 'hand-on-once')));
    assert.deepEqual([...new Set(answers.map(({ status, json }) => `${status} ${json.id}`))], [`201 ${answers[0]?.json.id}`]);
    const other = await own.handOn(0, { ...body, expires_at: new Date(Date.now() + 60_000).toISOString() }, 'hand-on-once');
    assert.equal(getCode(other), 'IDEMPOTENCY_KEY_REUSED');
  });

  test('creates at most a hundred valid delegations for one other agent', async () => {
    const own = await newDelegating(planes, 2);
    const body = { delegate_agent_id: own.agents[1]?.id, scope: { capabilities: ['read'] } };
    const answers = [];
    for (let n = 0; n < 101; n += 1) answers.push(getCode(await own.handOn(0, body)));
    assert.deepEqual([answers.filter((code) => code === '201').length, answers.at(-1)], [100, 'UNPROCESSABLE']);
  });

  test('is refused with grants alone if the environment requires a delegation of a person', async () => {
    const own = await newDelegating(planes, 0);
    const { workspace_id } = own.tenant;
    const wanting = { workspace_id, name: 'Delegated only', type: 'STAGING', requires_delegation: true };
    const made = await own.owner('POST', '/v1/environments', wanting);
    assert.deepEqual([made.status, made.json.requires_delegation], [201, true]);
    const tenant = { ...own.tenant, environment_id: made.json.id };
    const agents = [await newAgent(tenant, { capabilities: ['pay'] }), await newAgent(tenant, { capabilities: ['pay'] })];
    const declared = { name: 'pay', environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK' };
    const { json: tool } = await own.owner('POST', '/v1/tools', declared);
    for (const { id } of agents) await own.owner('POST', `/v1/tools/${tool.id}/agents`, { agent_id: id });
    const [from = '', to = ''] = await Promise.all(agents.map((agent) => mintToken(planes.gatewayUrl, agent)));
    const handOn = { token: from, body: { delegate_agent_id: agents[1]?.id } };
    const handed = await call(planes.gatewayUrl, 'POST', '/gateway/v1/delegations', handOn);
    assert.equal(getCode(await own.act({}, { token: to })), 'AUTHORITY_EXCEEDED');
    assert.equal(getCode(await own.act({ delegation_id: handed.json.id }, { token: to })), 'DELEGATION_INVALID');
    await own.delegate({ delegate_agent_id: agents[1]?.id });
    assert.equal((await own.act({}, { token: to })).status, 200);
  });
});
