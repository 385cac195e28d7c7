import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Answer } from '@svc/testing/client.ts';
import { newDelegating } from '@svc/testing/delegating.ts';
import { type Planes, startPlanes } from '@svc/testing/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes();
});
after(() => planes.stop());

const codeOf = (answer: Answer): string => answer.json?.error?.code ?? `${answer.status}`;

describe('delegate: an agent that names no parent', () => {
  test('hands on what people delegated to it, never what it was granted beside that', async () => {
    const own = await newDelegating(planes, 2);
    const root = await own.root(0, { scope: { capabilities: ['read'] } });
    const to = own.agents[1]?.id;
    const within = await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['read'] } });
    assert.deepEqual([within.status, within.json.parent_id], [201, root]);
    assert.equal(codeOf(await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['pay'] } })), 'DELEGATION_ESCALATION');
  });

  test('hands on its own grants when nobody delegated to it, and no more than those', async () => {
    const own = await newDelegating(planes, 2);
    const to = own.agents[1]?.id;
    const made = await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['pay'] } });
    assert.deepEqual([made.status, made.json.parent_id, made.json.delegator.id], [201, null, own.agents[0]?.id]);
    const beyond = await own.handOn(0, { delegate_agent_id: to, scope: { capabilities: ['admin'] } });
    assert.equal(codeOf(beyond), 'DELEGATION_ESCALATION');
    const acted = await own.actAs(1, { delegation_id: made.json.id });
    assert.equal(acted.status, 200, acted.text);
    await own.owner('DELETE', `/v1/agents/${own.agents[0]?.id}/capabilities/pay`);
    assert.equal(codeOf(await own.actAs(1, { delegation_id: made.json.id })), 'AUTHORITY_EXCEEDED');
  });

  test('does not so get round what a person delegated to either of the two agents', async () => {
    const own = await newDelegating(planes, 2);
    const made = await own.handOn(0, { delegate_agent_id: own.agents[1]?.id, scope: { capabilities: ['pay'] } });
    const narrowed = await own.root(0, { scope: { capabilities: ['read'] } });
    assert.equal(codeOf(await own.actAs(1, { delegation_id: made.json.id })), 'DELEGATION_INVALID');
    await own.owner('POST', `/v1/delegations/${narrowed}/revoke`, { reason: 'test' });
    assert.equal((await own.actAs(1, { delegation_id: made.json.id })).status, 200);
    await own.root(1, { scope: { capabilities: ['read'] } });
    assert.equal(codeOf(await own.actAs(1, { delegation_id: made.json.id })), 'DELEGATION_INVALID');
  });

  test('hands on once however often it sends the same with one key', async () => {
    const own = await newDelegating(planes, 2);
    const body = { delegate_agent_id: own.agents[1]?.id };
    const answers = await Promise.all(Array.from({ length: 8 }, () => own.handOn(0, body, 'hand-on-once')));
    assert.deepEqual([...new Set(answers.map(({ status, json }) => `${status} ${json.id}`))], [`201 ${answers[0]?.json.id}`]);
    const other = await own.handOn(0, { ...body, expires_at: new Date(Date.now() + 60_000).toISOString() }, 'hand-on-once');
    assert.equal(codeOf(other), 'IDEMPOTENCY_KEY_REUSED');
  });

  test('makes at most a hundred that hold for one other agent', async () => {
    const own = await newDelegating(planes, 2);
    const body = { delegate_agent_id: own.agents[1]?.id, scope: { capabilities: ['read'] } };
    const answers = [];
    for (let n = 0; n < 101; n += 1) answers.push(codeOf(await own.handOn(0, body)));
    assert.deepEqual([answers.filter((code) => code === '201').length, answers.at(-1)], [100, 'UNPROCESSABLE']);
  });
});
