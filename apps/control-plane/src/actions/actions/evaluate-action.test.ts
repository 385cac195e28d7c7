import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const evaluate = (governed: Governed, body: object = {}) =>
  governed.owner('POST', '/v1/actions/evaluate', { agent_id: governed.agent.id, tool: governed.tool.name, ...body });

describe('evaluateAction', () => {
  test('responds with 200 and any decision, records it for the agent on behalf of the caller, and never executes', async () => {
    const governed = await newGoverned(planes);
    const allowed = await evaluate(governed, { parameters: { n: 1 } });
    assert.deepEqual(
      [allowed.status, allowed.json.decision, allowed.json.status, allowed.json.execution.state],
      [200, 'ALLOW', 'ALLOWED', 'NOT_EXECUTED'],
    );
    const record = (await governed.owner('GET', `/v1/actions/${allowed.json.action_id}`)).json;
    assert.deepEqual([record.agent_id, record.principal.type, record.parameters], [governed.agent.id, 'USER', { n: 1 }]);
    await activateRules(governed.tenant, 'stop', [{ id: 'stop', effect: 'BLOCK', reason: 'No.' }]);
    const blocked = await evaluate(governed);
    assert.deepEqual(
      [blocked.status, blocked.json.decision, blocked.json.code, blocked.json.reason],
      [200, 'BLOCK', 'ACTION_BLOCKED', 'No.'],
    );
    assert.equal(blocked.json.explanation.matched_rule.id, 'stop');
  });

  test('treats the caller as the principal, so that a rule can distinguish automation from people', async () => {
    const governed = await newGoverned(planes);
    const when = { field: 'principal.type', op: 'eq', value: 'API_KEY' };
    await activateRules(
      governed.tenant,
      'people only',
      [{ id: 'keys', effect: 'BLOCK', when, reason: 'Not by a key.' }],
      [{ name: 'a key', given: { 'principal.type': 'API_KEY' }, then: { effect: 'BLOCK' } }],
    );
    assert.equal((await evaluate(governed)).json.decision, 'ALLOW');
    const key = await governed.owner('POST', '/v1/api-keys', { name: 'k', role_id: 'rol_00000000000000000000000002' });
    const body = { agent_id: governed.agent.id, tool: 'pay' };
    const byKey = await call(planes.controlUrl, 'POST', '/v1/actions/evaluate', { token: key.json.token, body });
    assert.equal(byKey.json.reason, 'Not by a key.');
  });

  test('opens an approval when one is required, and reads a given approval without consuming it', async () => {
    const governed = await newGoverned(planes, { rules: [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
    const held = (await governed.act({})).json.error.details;
    await governed.owner('POST', `/v1/approvals/${held.approval_id}/approve`, {});
    const looked = await evaluate(governed, { approval_id: held.approval_id });
    assert.deepEqual([looked.json.code, looked.json.status], [null, 'ALLOWED']);
    assert.equal((await governed.owner('GET', `/v1/approvals/${held.approval_id}`)).json.status, 'APPROVED');
    assert.equal((await governed.act({ approval_id: held.approval_id })).status, 200);
    const opened = await evaluate(governed);
    assert.deepEqual([opened.json.status, opened.json.approval.status], ['PENDING_APPROVAL', 'PENDING']);
  });

  test('writes nothing in a dry run, and refuses bad input and an unknown agent', async () => {
    const governed = await newGoverned(planes);
    const dry = await evaluate(governed, { dry_run: true });
    assert.deepEqual([dry.json.decision, dry.json.action_id], ['ALLOW', null]);
    for (const amount of [1.5, -1, 'x', 2 ** 53]) assert.equal((await evaluate(governed, { amount })).json.error.code, 'VALIDATION_FAILED');
    const nobody = await evaluate(governed, { agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
    assert.deepEqual([nobody.json.error.code, nobody.json.error.message], ['NOT_FOUND', 'The agent does not exist.']);
    assert.equal((await governed.owner('GET', '/v1/actions')).json.data.length, 0);
  });

  test('refuses an agent outside the workspace of the key', async () => {
    const governed = await newGoverned(planes);
    const workspace = (await governed.owner('POST', '/v1/workspaces', { name: 'Other' })).json;
    const key = await governed.owner('POST', '/v1/api-keys', {
      name: 'k',
      role_id: 'rol_00000000000000000000000002',
      workspace_id: workspace.id,
    });
    const body = { agent_id: governed.agent.id, tool: 'pay' };
    const answer = await call(planes.controlUrl, 'POST', '/v1/actions/evaluate', { token: key.json.token, body });
    assert.equal(answer.json.error.code, 'NOT_FOUND');
  });
});
