import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { newApprovalWaits } from './own/new-approval-waits.ts';

const RULES = [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes, { rules: RULES });
});
after(() => planes.stop());

const ask = async (): Promise<{ id: string }> => ({ id: (await governed.act({})).json.error.details.approval_id });
const step = (id: string, name: string, body: object): Promise<TestResponse> => governed.owner('POST', `/v1/approvals/${id}/${name}`, body);
const own = (id: string, query = ''): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${id}${query}`, { token: governed.token });

test('getOwnApproval, cancelOwnApproval: a waiting agent is answered on a decision or a question, holds no connection meanwhile, and has limited waits', async () => {
  const held = await Promise.all(Array.from({ length: LIMITS.approvals.waitersPerAgentMax }, ask));
  const [first = { id: '' }, second = { id: '' }] = held;
  let answered = 0;
  const isWaitedFor = ({ status, question }: { status: string; question: unknown }) => status === 'PENDING' && question === null;
  const waiting = held.map(async ({ id }) => {
    let { json } = await own(id, '?wait=30');
    // The check whether all slots are taken takes one for a moment.
    for (; isWaitedFor(json); { json } = await own(id, '?wait=30')) await setTimeout(100);
    answered += 1;
    return json;
  });
  // Beyond that many slots a request is answered immediately; so is this one, once all others have theirs.
  await waitUntil('all places are taken', async () => {
    const began = performance.now();
    const stands = (await own(first.id, '?wait=4')).json;
    const tookMs = performance.now() - began;
    assert.ok(tookMs >= LIMITS.approvals.waitWithoutPlaceMs, 'and not at once, so that a loop does not turn without end');
    if (stands.status === 'PENDING' && tookMs < 3_500) return true;
    // Requests that this kept from a slot return for it.
    await setTimeout(2 * LIMITS.approvals.waitWithoutPlaceMs);
    return false;
  });
  assert.equal(answered, 0);
  await step(first.id, 'deny', { reason: 'Not today.' });
  assert.equal((await waiting[0]).status, 'DENIED');
  await step(second.id, 'questions', { question: 'Why?' });
  assert.equal((await waiting[1]).question.question, 'Why?');
  assert.equal((await own(second.id, '?wait=30')).json.question.question, 'Why?', 'a question is told at once');
  for (const { id } of held)
    await call(planes.gatewayUrl, 'POST', `/gateway/v1/approvals/${id}/cancel`, { token: governed.token, body: {} });
  assert.deepEqual(
    (await Promise.all(waiting.slice(2))).map(({ status }) => status),
    Array(held.length - 2).fill('CANCELLED'),
  );
  assert.equal((await own(second.id, '?wait=31')).json.error.code, 'VALIDATION_FAILED');
});

test('an agent that is suspended while it waits gets no further information', async () => {
  const other = await newGoverned(planes, { rules: RULES });
  const { approval_id } = (await other.act({})).json.error.details;
  const waiting = call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${approval_id}?wait=30`, { token: other.token });
  // Nothing outside shows that it waits by now; otherwise it is refused at the entry point.
  await setTimeout(1_000);
  await other.owner('POST', `/v1/agents/${other.agent.id}/suspend`, { reason: 'Stolen.' });
  await other.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'Not for a thief.' });
  const { status, text } = await waiting;
  assert.ok(status === 401 || status === 403, text);
  assert.ok(!text.includes('thief'), text);
});

test('limits waits per agent, organization and in total; a failed read ends no wait, and stopping ends all', async () => {
  const { waitersPerAgentMax, waitersPerOrganizationMax } = LIMITS.approvals;
  let breaks = true;
  let status = 'PENDING';
  const waits = newApprovalWaits(async (ids) => {
    if (breaks) throw new Error('the database is away');
    return ids.map((id) => ({ id, status, wording: 1, open_question: null, is_over: false }));
  });
  const wait = (organizationId: string, agentId: string) =>
    waits.wait({ organizationId, agentId, approvalId: 'apr_1', isGone: () => false }, 30_000);
  const those = Array.from({ length: waitersPerAgentMax }, () => wait('org_1', 'agt_1'));
  const began = performance.now();
  const standing = Array.from({ length: waitersPerAgentMax }, () => wait('org_1', 'agt_1'));
  assert.equal(await wait('org_1', 'agt_1'), false, 'as many are held for a moment as have a place, and no more');
  assert.ok(performance.now() - began < LIMITS.approvals.waitWithoutPlaceMs);
  assert.deepEqual(new Set(await Promise.all(standing)), new Set([true]), 'and then told how it stands');
  const heldMs = performance.now() - began;
  assert.ok(heldMs >= LIMITS.approvals.waitWithoutPlaceMs && heldMs < 20_000, `held for ${heldMs} ms`);
  for (let agent = 2; waits.count() < waitersPerOrganizationMax; agent += 1) those.push(wait('org_1', `agt_${agent}`));
  assert.equal(await wait('org_1', 'agt_0'), true, 'held for a moment');
  const neighbour = wait('org_2', 'agt_neighbour');
  assert.equal(waits.count(), waitersPerOrganizationMax + 1, 'one that is full takes no place of another');
  let isGone = false;
  const leaving = waits.wait({ organizationId: 'org_3', agentId: 'agt_leaving', approvalId: 'apr_1', isGone: () => isGone }, 30_000);
  isGone = true;
  assert.equal(await leaving, false, 'who hangs up leaves a place');
  breaks = false;
  status = 'APPROVED';
  assert.deepEqual(new Set([...(await Promise.all(those)), await neighbour]), new Set([true]));
  const last = wait('org_2', 'agt_neighbour');
  status = 'PENDING';
  waits.end();
  assert.equal(await last, true);
  assert.deepEqual([await wait('org_2', 'agt_neighbour'), waits.count()], [false, 0]);
});

test('answerOwnApproval: the agent answers the open question only, and nothing after the decision', async () => {
  const { id } = await ask();
  await step(id, 'questions', { question: 'Why?' });
  const answer = (body: object) => call(planes.gatewayUrl, 'POST', `/gateway/v1/approvals/${id}/answer`, { token: governed.token, body });
  assert.equal((await answer({ answer: 'x', question_number: 2 })).json.error.code, 'CONFLICT');
  assert.equal((await answer({ answer: ' ' })).json.error.code, 'VALIDATION_FAILED');
  assert.equal((await answer({ answer: 'x'.repeat(LIMITS.approvals.answerCharsMax + 1) })).json.error.code, 'VALIDATION_FAILED');
  assert.equal((await answer({ answer: 'Because.', question_number: 1 })).json.question, null);
  assert.equal((await answer({ answer: 'Again.' })).json.error.code, 'CONFLICT');
  await step(id, 'deny', { reason: 'No.' });
  assert.equal((await answer({ answer: 'Late.' })).json.error.code, 'INVALID_STATE_TRANSITION');
});
