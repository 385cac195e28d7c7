import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

const DEVELOPER = 'rol_00000000000000000000000004';
const SECURITY = 'rol_00000000000000000000000003';
const ALLOW = { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' };
const HOLD = { id: 'hold', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' };

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

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);

const approve = (governed: Governed, approvalId: string, token = governed.tenant.token) =>
  call(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/approve`, { token, body: {} });

/** Holds a request and has it approved; returns the approval. */
const approved = async (governed: Governed, body: object): Promise<string> => {
  const held = await governed.act(body);
  assert.equal(getCode(held), 'APPROVAL_REQUIRED', held.text);
  const { approval_id } = held.json.error.details;
  assert.equal((await approve(governed, approval_id)).status, 200);
  return approval_id;
};

const newKey = (governed: Governed, role_id: string, token = governed.tenant.token): Promise<{ token: string; api_key: { id: string } }> =>
  mustCall(planes.controlUrl, 'POST', '/v1/api-keys', { token, body: { name: 'k', role_id } });

const readStatus = async (approvalId: string): Promise<string> =>
  (await owner.query('select status from approvals where id = $1', [approvalId])).rows[0]?.status;

describe('an approval is valid for one request', () => {
  const REQUEST = {
    parameters: { order: 'A1', nested: { b: [1, 2], a: 'é' } },
    amount: 700,
    currency: 'USD',
    destination: 'api.example.com',
  };
  const tool = { destination_allowlist: ['api.example.com', 'api.example.com:8443', 'other.example.com'] };

  test('and for none that differs in anything that is evaluated or executed', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD], tool });
    const approval_id = await approved(governed, REQUEST);
    const { parameters } = REQUEST;
    const others = {
      'another amount': { ...REQUEST, amount: 701 },
      'no amount': { ...REQUEST, amount: undefined },
      'another port': { ...REQUEST, destination: 'api.example.com:8443' },
      'another host': { ...REQUEST, destination: 'other.example.com' },
      'no destination': { parameters, amount: 700, currency: 'USD' },
      'one member more': { ...REQUEST, parameters: { ...parameters, extra: null } },
      'one member less': { ...REQUEST, parameters: { order: 'A1' } },
      'another order of a list': { ...REQUEST, parameters: { ...parameters, nested: { b: [2, 1], a: 'é' } } },
      'another normal form': { ...REQUEST, parameters: { ...parameters, nested: { b: [1, 2], a: 'e\u0301' } } },
      'a number as text': { ...REQUEST, parameters: { ...parameters, nested: { b: ['1', 2], a: 'é' } } },
      'another spelling of a name': { ...REQUEST, parameters: { Order: 'A1', nested: parameters.nested } },
      'no parameters': { ...REQUEST, parameters: undefined },
    };
    for (const [what, body] of Object.entries(others)) {
      const answer = await governed.act({ ...body, approval_id });
      assert.ok(['APPROVAL_NOT_GRANTED', 'DESTINATION_BLOCKED'].includes(getCode(answer)), `${what}: ${answer.text}`);
    }
    assert.equal(await readStatus(approval_id), 'APPROVED', 'a refused try burns nothing');
    assert.equal(getCode(await governed.act({ ...REQUEST, approval_id })), '200');
    assert.equal(getCode(await governed.act({ ...REQUEST, approval_id })), 'APPROVAL_NOT_GRANTED');
  });

  test('in any form of that request', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD], tool });
    const spellings = {
      'members in another order': { ...REQUEST, parameters: { nested: { a: 'é', b: [1, 2] }, order: 'A1' } },
      'the tool by its id': { ...REQUEST, tool: governed.tool.id },
      'the host in capitals with its port': { ...REQUEST, destination: 'https://API.Example.com:443/some/path' },
      'a trailing dot': { ...REQUEST, destination: 'api.example.com.' },
    };
    for (const [what, body] of Object.entries(spellings)) {
      const approval_id = await approved(governed, REQUEST);
      const answer = await governed.act({ ...body, approval_id });
      assert.equal(getCode(answer), '200', `${what}: ${answer.text}`);
    }
    const approval_id = await approved(governed, REQUEST);
    const raw = JSON.stringify({ ...REQUEST, tool: 'pay', approval_id })
      .replace('"amount":700', '"amount":7.0e2')
      .replace('[1,2]', '[1.0,2]');
    const answer = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: governed.token, raw });
    assert.equal(getCode(answer), '200', answer.text);
  });

  test('for its own agent: for another agent, also of the same environment, it is unknown', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD] });
    const approval_id = await approved(governed, {});
    const other = await newAgent(governed.tenant, { capabilities: ['pay'] });
    await governed.owner('POST', `/v1/tools/${governed.tool.id}/agents`, { agent_id: other.id });
    const token = await mintToken(planes.gatewayUrl, other);
    const theirs = await governed.act({ approval_id }, { token });
    const none = await governed.act({ approval_id: 'apr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }, { token });
    assert.equal(getCode(theirs), 'APPROVAL_NOT_GRANTED');
    assert.equal(theirs.json.error.message, none.json.error.message);
    const recorded = await governed.owner('GET', `/v1/actions/${theirs.json.error.details.decision.action_id}`);
    assert.equal(recorded.json.approval_id, null);
    assert.equal((await call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${approval_id}`, { token })).status, 404);
    const stranger = await newGoverned(planes);
    assert.equal(getCode(await stranger.act({ approval_id })), 'APPROVAL_NOT_GRANTED');
    assert.equal(await readStatus(approval_id), 'APPROVED');
  });

  test('and for no request after it was denied, expired, or its agent was revoked', async () => {
    const denied = await newGoverned(planes, { rules: [HOLD] });
    const first = (await denied.act({})).json.error.details.approval_id;
    assert.equal(getCode(await denied.act({ approval_id: first })), 'APPROVAL_REQUIRED', 'nobody has voted');
    assert.equal((await denied.owner('POST', `/v1/approvals/${first}/deny`, { reason: 'No.' })).status, 200);
    assert.equal(getCode(await denied.act({ approval_id: first })), 'APPROVAL_NOT_GRANTED');
    assert.equal(getCode(await approve(denied, first)), 'INVALID_STATE_TRANSITION');

    const late = await newGoverned(planes, { rules: [HOLD] });
    const second = await approved(late, {});
    await owner.query("update approvals set expires_at = now() - interval '1 second' where id = $1", [second]);
    assert.equal(getCode(await late.act({ approval_id: second })), 'APPROVAL_EXPIRED');

    const revoked = await newGoverned(planes, { rules: [HOLD] });
    const third = await approved(revoked, {});
    assert.equal((await revoked.owner('POST', `/v1/agents/${revoked.agent.id}/revoke`, { reason: 'test' })).status, 200);
    assert.equal(getCode(await revoked.act({ approval_id: third }, { gateway: 1 })), 'AGENT_IDENTITY_REVOKED');
    assert.equal(await readStatus(third), 'CANCELLED');
  });
});

describe('an approval grants no more than the current rules require', () => {
  const STRICTER = { ...HOLD, id: 'stricter', approval: { quorum: 2, approver_role: 'security' } };

  test('one that was granted under weaker rules does not satisfy stricter ones activated since', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD] });
    const approval_id = await approved(governed, {});
    await activateRules(governed.tenant, 'stricter', [STRICTER]);
    const answer = await governed.act({ approval_id });
    assert.equal(getCode(answer), 'APPROVAL_NOT_GRANTED', answer.text);
    assert.equal(getCode(await governed.act({})), 'APPROVAL_REQUIRED');
  });

  test('one that was requested for another agent on weaker terms is invalid for this one', async () => {
    const isAgent = { when: { field: 'principal.type', op: 'eq', value: 'AGENT' } };
    const governed = await newGoverned(planes, { rules: [HOLD, { ...STRICTER, ...isAgent }] });
    const { token } = await newKey(governed, DEVELOPER);
    const body = { agent_id: governed.agent.id, tool: 'pay' };
    const held = await mustCall(planes.controlUrl, 'POST', '/v1/actions/evaluate', { token, body });
    const approver = await insertPerson(owner, governed.tenant.organization_id, 'approver');
    assert.equal((await approve(governed, held.approval.approval_id, approver.token)).status, 200);
    const answer = await governed.act({ approval_id: held.approval.approval_id });
    assert.equal(getCode(answer), 'APPROVAL_NOT_GRANTED', answer.text);
  });

  test('one that was granted does not override a block, and stays unused', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD] });
    const approval_id = await approved(governed, {});
    await activateRules(governed.tenant, 'stop', [{ id: 'stop', effect: 'BLOCK', reason: 'Stop.' }]);
    assert.equal(getCode(await governed.act({ approval_id })), 'ACTION_BLOCKED');
    assert.equal(await readStatus(approval_id), 'APPROVED');
  });

  test('a pending request is stopped as soon as everything else', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD] });
    const { approval_id } = (await governed.act({})).json.error.details;
    assert.equal(getCode(await governed.act({ approval_id })), 'APPROVAL_REQUIRED');
    assert.equal((await governed.owner('POST', `/v1/agents/${governed.agent.id}/pause`, {})).status, 200);
    assert.equal(getCode(await governed.act({ approval_id })), 'AGENT_NOT_OPERATIONAL');
  });
});

describe('a requester cannot approve their own request', () => {
  test('by their key, or a key derived from it, revoked or not', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD] });
    const first = await newKey(governed, SECURITY);
    const developer = await newKey(governed, DEVELOPER);
    const second = await newKey(governed, DEVELOPER, developer.token);
    // A key ends with the key that created it, so the created one is used first.
    for (const key of [first, second, developer]) {
      const body = { agent_id: governed.agent.id, tool: 'pay', parameters: { key: key.api_key.id } };
      const held = await mustCall(planes.controlUrl, 'POST', '/v1/actions/evaluate', { token: key.token, body });
      const { approval_id } = held.approval;
      assert.equal(getCode(await approve(governed, approval_id, key.token)), 'PERMISSION_DENIED', 'by the key itself');
      await governed.owner('DELETE', `/v1/api-keys/${key.api_key.id}`);
      const mine = await approve(governed, approval_id);
      assert.equal(getCode(mine), 'PERMISSION_DENIED', mine.text);
      assert.equal(await readStatus(approval_id), 'PENDING');
    }
  });

  test('and an API key cannot approve anything, with any role', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD] });
    const { approval_id } = (await governed.act({})).json.error.details;
    for (const role of [2, 3, 4, 5]) {
      const { token } = await newKey(governed, `rol_0000000000000000000000000${role}`);
      assert.equal(getCode(await approve(governed, approval_id, token)), 'PERMISSION_DENIED');
    }
    assert.equal(getCode(await governed.act({ approval_id })), 'APPROVAL_REQUIRED');
  });
});

describe('an approval is bound to the authority of its request', () => {
  const BY_ADMINS = { ...HOLD, approval: { approver_role: 'admin' } };
  const COUNTED = { ceiling: { max_calls: 5, window_seconds: 3600 } };

  const scene = async () => {
    const governed = await newGoverned(planes, { rules: [BY_ADMINS] });
    const [carol, bob] = await Promise.all([0, 1].map(() => insertPerson(owner, governed.tenant.organization_id, 'admin')));
    assert.ok(carol && bob);
    const delegate = async (token: string, body: object = {}): Promise<string> =>
      (await mustCall(planes.controlUrl, 'POST', '/v1/delegations', { token, body: { delegate_agent_id: governed.agent.id, ...body } })).id;
    const revoke = (id: string) => governed.owner('POST', `/v1/delegations/${id}/revoke`, { reason: 'test' });
    const hold = async (): Promise<string> => (await governed.act({})).json.error.details.approval_id;
    return { governed, carol, bob, delegate, revoke, hold };
  };

  test('its voter cannot replace the delegation by their own, whether the first was revoked or the attempt is later', async () => {
    for (const isRevoked of [true, false]) {
      const { governed, carol, bob, delegate, revoke, hold } = await scene();
      const first = await delegate(carol.token, isRevoked ? {} : COUNTED);
      const approval_id = await hold();
      assert.equal(getCode(await approve(governed, approval_id, carol.token)), 'PERMISSION_DENIED');
      assert.equal((await approve(governed, approval_id, bob.token)).json.status, 'APPROVED');
      const second = await delegate(bob.token);
      if (isRevoked) assert.equal((await revoke(first)).status, 200);
      const used = await governed.act({ approval_id });
      assert.deepEqual(
        [getCode(used), /may be one of the approvers/.test(used.json.error?.message)],
        ['APPROVAL_NOT_GRANTED', true],
        used.text,
      );
      assert.equal(await readStatus(approval_id), 'APPROVED');
      const anew = await hold();
      assert.equal(getCode(await approve(governed, anew, bob.token)), 'PERMISSION_DENIED', 'asked anew it is under theirs');
      assert.equal((await revoke(second)).status, 200);
      if (isRevoked) await delegate(carol.token);
      assert.equal(getCode(await governed.act({ approval_id })), '200', 'of the same person any delegation does');
    }
  });

  test('one that rested on the grants of the agent is invalid for a later delegation', async () => {
    const { governed, bob, delegate, revoke, hold } = await scene();
    const approval_id = await hold();
    const delegation = await delegate(bob.token);
    assert.equal(getCode(await governed.act({ approval_id })), 'APPROVAL_NOT_GRANTED', 'nor does it wait for a vote in vain');
    assert.equal((await approve(governed, approval_id, bob.token)).json.status, 'APPROVED');
    assert.equal(getCode(await governed.act({ approval_id })), 'APPROVAL_NOT_GRANTED');
    await revoke(delegation);
    assert.equal(getCode(await governed.act({ approval_id })), '200');
  });
});

describe('an idempotency key names one request', () => {
  test('one of a request is refused for its resubmission, which is another request', async () => {
    const governed = await newGoverned(planes, { rules: [HOLD] });
    const { approval_id } = (await governed.act({}, { key: 'same' })).json.error.details;
    await approve(governed, approval_id);
    assert.equal(getCode(await governed.act({ approval_id }, { key: 'same' })), 'IDEMPOTENCY_KEY_REUSED');
    assert.equal(await readStatus(approval_id), 'APPROVED');
    assert.equal(getCode(await governed.act({ approval_id }, { key: 'its-own' })), '200');
  });

  test('one of a resubmission is refused for another request', async () => {
    const governed = await newGoverned(planes, { rules: [ALLOW, { ...HOLD, when: { field: 'amount', op: 'gt', value: 100 } }] });
    const approval_id = await approved(governed, { amount: 500 });
    assert.equal(getCode(await governed.act({ amount: 500, approval_id }, { key: 'resubmission' })), '200');
    assert.equal(getCode(await governed.act({ amount: 1 }, { key: 'resubmission' })), 'IDEMPOTENCY_KEY_REUSED');
    assert.equal(getCode(await governed.act({ amount: 500, approval_id }, { key: 'resubmission' })), '200');
  });
});
