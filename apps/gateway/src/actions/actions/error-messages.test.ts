import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
const HELD = [{ id: 'hold', effect: 'REQUIRE_APPROVAL', reason: 'Payments need a person.', approval: { quorum: 1 } }];
const SCHEMA = { type: 'object', properties: { order: { type: 'string' }, count: { type: 'integer' } }, required: ['order'] };
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes, { rules: HELD, tool: { name: 'refund.create', parameters_schema: SCHEMA } });
});
after(() => planes.stop());

test('an unknown tool is named, with the nearest one that the agent may use and no other', async () => {
  const { tenant, act } = governed;
  const body = { name: 'refund.creates', environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK' };
  await mustCall(tenant.controlUrl, 'POST', '/v1/tools', { token: tenant.token, body });
  const { error } = (await act({ tool: 'refund.creat' })).json;
  assert.equal(error.code, 'NOT_FOUND');
  assert.equal(
    error.message,
    'There is no tool "refund.creat" in this environment. The nearest one that the agent may use is refund.create.',
  );
  assert.deepEqual([error.details.tool, error.details.nearest], ['refund.creat', 'refund.create']);
  const far = (await act({ tool: 'something.else.entirely' })).json.error;
  assert.equal(far.message, 'There is no tool "something.else.entirely" in this environment.');
  assert.equal(far.details.nearest, undefined);
});

test('the message of VALIDATION_FAILED contains the first fault and its pointer, for a body and for parameters', async () => {
  const parameters = (await governed.act({ parameters: { order: 1, count: 'x' } })).json.error;
  assert.equal(parameters.code, 'VALIDATION_FAILED');
  const [fault] = parameters.details.faults;
  assert.ok(parameters.message.includes(fault.pointer) && parameters.message.includes(fault.message), parameters.message);
  const body = (await governed.act({ amount: 'many' })).json.error;
  assert.match(body.message, /^The body is not valid\. \/amount: /);
});

test('code and reason agree when the approval of an action was cancelled or denied; the decision keeps its own', async () => {
  for (const [path, code, status] of [
    ['deny', 'APPROVAL_NOT_GRANTED', 'BLOCKED'],
    ['cancel', 'APPROVAL_NOT_GRANTED', 'CANCELLED'],
  ] as const) {
    const held = (await governed.act({ parameters: { order: `o-${path}` } })).json.error;
    const { approval_id, decision } = held.details;
    if (path === 'deny') await governed.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'no' });
    else assert.equal((await governed.owner('POST', `/v1/agents/${governed.agent.id}/revoke`, { reason: 'gone' })).status, 200);
    const action = (await governed.owner('GET', `/v1/actions/${decision.action_id}`)).json;
    assert.equal(action.status, status, JSON.stringify(action).slice(0, 300));
    assert.notEqual(action.reason, 'Payments need a person.');
    if (status === 'BLOCKED') assert.deepEqual([action.code, action.reason], [code, 'The approval does not permit this request.']);
    const listed = (await governed.owner('GET', `/v1/actions?agent_id=${governed.agent.id}`)).json.data;
    assert.equal(listed.find(({ id }: { id: string }) => id === action.id).reason, action.reason);
  }
});
