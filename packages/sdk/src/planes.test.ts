import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newDelegating } from '@svc/testing/agents/delegating.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { startDownstream } from '@svc/testing/peers/downstream.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { Governance } from './governance.ts';
import { mayProceed } from './guard/may-proceed.ts';
import type { Approval, ApprovedRequest } from './wire/answers.ts';
import {
  ActionBlocked,
  ApprovalNarrowed,
  ApprovalNotGranted,
  ApprovalRequired,
  AuthorityExceeded,
  DelegationEscalation,
  IdentityGenerationStale,
  IdentityRevoked,
  NotAuthorized,
  Simulated,
  StoppedByOperator,
} from './wire/errors.ts';
import type { GovernanceOptions } from './wire/options.ts';

/** The client with the running service: two real processes on a real database. */
let planes: Planes;
before(async () => {
  planes = await leasePlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
});
after(() => planes.stop());

const RULES = [
  { id: 'forbidden', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 100_000 }, reason: 'Too much for any agent.' },
  { id: 'large', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 50_000 }, reason: 'A person looks at large ones.' },
  { id: 'rest', effect: 'ALLOW', reason: 'Small ones are fine.' },
];
const TESTS = [{ name: 'small', given: { amount: 1 }, then: { effect: 'ALLOW' } }];

const governedBy = (tool: object = {}): Promise<Governed> => newGoverned(planes, { rules: RULES, tests: TESTS, tool });

const getClient = ({ agent }: Governed, options: Partial<GovernanceOptions> = {}): Governance =>
  new Governance({
    gatewayUrl: planes.gatewayUrl,
    agentId: agent.id,
    privateKey: agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    ...options,
  });

const setMode = async (governed: Governed, mode: string): Promise<void> => {
  const path = `/v1/environments/${governed.tenant.environment_id}/gateway-mode`;
  const answer = await governed.owner('POST', path, { mode, reason: 'test' });
  assert.equal(answer.status, 200, answer.text);
};

const runs = (governance: Governance) => {
  const ran: number[] = [];
  const guarded = governance.guard('pay', (cents: number) => ran.push(cents), {
    request: (cents) => ({ parameters: { cents }, amount: cents, currency: 'USD' }),
    result: (count) => ({ count }),
  });
  return { ran, guarded };
};

test('a handshake returns what the agent may use and no token', async () => {
  const governed = await governedBy();
  const known = await getClient(governed).handshake();
  assert.deepEqual([known.agent_id, known.mode, known.capabilities], [governed.agent.id, 'ENFORCE', ['pay']]);
  assert.deepEqual(
    known.tools.map(({ name, kind }) => [name, kind]),
    [['pay', 'SDK']],
  );
  assert.ok(!JSON.stringify(known).includes('eyJ'));
});

test('a guarded call is allowed, run, and recorded with its outcome and explanation', async () => {
  const governed = await governedBy();
  const governance = getClient(governed);
  const { ran, guarded } = runs(governance);
  assert.equal(await guarded(1_250), 1);
  assert.deepEqual(ran, [1_250]);
  const { data } = (await governed.owner('GET', '/v1/actions')).json;
  const action = await governance.actionStatus(data[0].id);
  assert.deepEqual([action.status, action.execution?.state, action.execution?.result], ['COMPLETED', 'EXECUTED', { count: 1 }]);
  assert.equal(action.explanation.matched_rule?.id, 'rest');
  assert.equal(action.amount, 1_250);
});

test('a failing function is recorded as failed, and its error is rethrown', async () => {
  const governed = await governedBy();
  const failing = getClient(governed).guard('pay', () => Promise.reject(new Error('card declined')));
  await assert.rejects(failing(), /card declined/);
  const { data } = (await governed.owner('GET', '/v1/actions')).json;
  assert.equal(data[0].status, 'FAILED');
});

test('a blocking rule is reported with its reason and its name, and nothing runs', async () => {
  const governed = await governedBy();
  const { ran, guarded } = runs(getClient(governed));
  const error = await guarded(100_001).catch((thrown) => thrown);
  assert.ok(error instanceof ActionBlocked, String(error));
  assert.match(error.message, /Too much for any agent/);
  assert.equal(error.decision?.explanation.matched_rule?.id, 'forbidden');
  assert.equal((await getClient(governed).actionStatus(error.decision?.action_id ?? '')).request_id, error.requestId);
  assert.equal(ran.length, 0);
});

test('a held call continues once a person has approved it, and the approval is valid for no other', async () => {
  const governed = await governedBy();
  const governance = getClient(governed);
  const request = { parameters: { n: 1 }, amount: 60_000, currency: 'USD' };
  const held = await governance.act('pay', request).catch((thrown) => thrown);
  assert.ok(held instanceof ApprovalRequired, String(held));
  assert.equal((await governance.approval(held.approvalId)).status, 'PENDING');
  const waiting = governance.act('pay', {
    ...request,
    approvalId: held.approvalId,
    waitForApproval: { onPoll: ({ id }) => void governed.owner('POST', `/v1/approvals/${id}/approve`, {}) },
  });
  const decision = await waiting;
  assert.ok(mayProceed(decision), JSON.stringify(decision));
  await governance.outcome(decision.action_id ?? '', { status: 'COMPLETED' });
  await assert.rejects(governance.act('pay', { ...request, approvalId: held.approvalId }), ApprovalNotGranted);
  await assert.rejects(governance.act('pay', { ...request, amount: 60_001, approvalId: held.approvalId }), ApprovalNotGranted);
});

test('a guarded call that waits runs once if approved, and not at all if denied', async () => {
  const governed = await governedBy();
  const ran: number[] = [];
  const guardedWith = (verb: string) =>
    getClient(governed).guard('pay', (cents: number) => ran.push(cents), {
      request: (cents) => ({ amount: cents, currency: 'USD' }),
      waitForApproval: {
        onPoll: ({ id, status }) =>
          void (
            status === 'PENDING' && governed.owner('POST', `/v1/approvals/${id}/${verb}`, verb === 'deny' ? { reason: 'Not today.' } : {})
          ),
      },
    });
  await guardedWith('approve')(70_000);
  assert.deepEqual(ran, [70_000]);
  await assert.rejects(guardedWith('deny')(80_000), (error) => error instanceof ApprovalNotGranted && /Not today/.test(error.message));
  assert.deepEqual(ran, [70_000]);
});

/** An owner who edits each pending request to the cents that they approve. */
const narrowing = (governed: Governed, cents: number) => ({
  onPoll: ({ id, status }: Approval) =>
    void (status === 'PENDING' && governed.owner('POST', `/v1/approvals/${id}/edit`, { parameters: { n: 1 }, amount: cents })),
});

test('a request edited by an approver is sent exactly as approved if the caller agreed, and not before the caller knows it', async () => {
  const governed = await governedBy();
  const governance = getClient(governed);
  const request = { parameters: { n: 1 }, amount: 70_000, currency: 'USD', waitForApproval: narrowing(governed, 60_000) };
  const approved = { parameters: { n: 1 }, amount: 60_000 };
  const error = await governance.act('pay', request).catch((thrown) => thrown);
  assert.ok(error instanceof ApprovalNarrowed, String(error));
  assert.deepEqual(error.approved, approved);
  assert.equal((await governance.approval(error.approvalId)).status, 'APPROVED', 'nothing has used it');
  const resumed = { ...request, approvalId: error.approvalId };
  await assert.rejects(governance.act('pay', { ...resumed, waitForApproval: false }), ApprovalNotGranted);
  const told: unknown[] = [];
  const onNarrowed = (less: ApprovedRequest): boolean => told.push(less) > 0;
  const decision = await governance.act('pay', { ...request, onNarrowed });
  assert.deepEqual([told, mayProceed(decision)], [[approved], true]);
  const action = await governance.actionStatus(decision.action_id ?? '');
  assert.deepEqual([action.parameters, action.amount], [approved.parameters, approved.amount]);
});

test('a guarded function runs with the narrowed arguments that its caller derives from the approved ones, and with no others', async () => {
  const governed = await governedBy();
  const ran: number[] = [];
  const guardedBy = (narrowed?: (approved: ApprovedRequest) => [number] | undefined) =>
    getClient(governed).guard('pay', (cents: number) => ran.push(cents), {
      request: (cents) => ({ parameters: { n: 1 }, amount: cents, currency: 'USD' }),
      waitForApproval: narrowing(governed, 60_000),
      ...(narrowed ? { narrowed } : {}),
    });
  await assert.rejects(guardedBy()(70_000), ApprovalNarrowed);
  await assert.rejects(guardedBy(() => [65_000])(80_000), ApprovalNotGranted);
  assert.deepEqual(ran, []);
  await guardedBy(({ amount }) => (amount === null ? undefined : [amount]))(90_000);
  assert.deepEqual(ran, [60_000]);
});

test('the same idempotency key is one action, from any process', async () => {
  const governed = await governedBy();
  const options = { parameters: { n: 1 }, idempotencyKey: 'order-1' };
  const decisions = await Promise.all(Array.from({ length: 8 }, () => getClient(governed).act('pay', options)));
  assert.equal(new Set(decisions.map(({ action_id }) => action_id)).size, 1);
  await assert.rejects(getClient(governed).act('pay', { ...options, parameters: { n: 2 } }), { code: 'IDEMPOTENCY_KEY_REUSED' });
});

test('a dry run leaves no record, and permits nothing', async () => {
  const governed = await governedBy();
  const decision = await getClient(governed).act('pay', { dryRun: true });
  assert.deepEqual([decision.action_id, decision.decision, mayProceed(decision)], [null, 'ALLOW', false]);
  assert.equal((await governed.owner('GET', '/v1/actions')).json.data.length, 0);
});

test('a clock that is a day off does not prevent the sign-in', async () => {
  const governed = await governedBy();
  for (const offMs of [-86_400_000, 86_400_000]) {
    assert.equal((await getClient(governed, { clock: () => Date.now() + offMs }).act('pay')).decision, 'ALLOW');
  }
});

test('in SIMULATE a guarded function does not run; in OBSERVE it does, regardless of rules, and both are recorded', async () => {
  const governed = await governedBy();
  const { ran, guarded } = runs(getClient(governed));
  await setMode(governed, 'SIMULATE');
  for (const cents of [1, 200_000]) {
    const error = await guarded(cents).catch((thrown) => thrown);
    assert.ok(error instanceof Simulated, String(error));
    assert.equal(error.decision?.decision, cents === 1 ? 'ALLOW' : 'BLOCK');
  }
  assert.deepEqual(ran, []);
  await setMode(governed, 'OBSERVE');
  await guarded(200_000);
  assert.deepEqual(ran, [200_000]);
  const { data } = (await governed.owner('GET', '/v1/actions')).json;
  assert.deepEqual(
    data.map(({ status, decision }: { status: string; decision: string }) => `${status} ${decision}`),
    ['OBSERVED BLOCK', 'SIMULATED BLOCK', 'SIMULATED ALLOW'],
  );
  assert.ok(data[0].completed_at);
});

test('a tool that the service executes runs once, and never also by a guard', async (t) => {
  const downstream = await startDownstream();
  t.after(downstream.close);
  const execution = { method: 'POST', url: downstream.url('answers'), body: { order: '{order}' } };
  const schema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'], additionalProperties: false };
  const governed = await governedBy({
    kind: 'HTTP',
    destination_allowlist: [new URL(execution.url).host],
    parameters_schema: schema,
    execution,
  });
  const governance = getClient(governed);
  const decision = await governance.act('pay', { parameters: { order: 'o-1' } });
  assert.deepEqual([decision.status, decision.execution?.result], ['COMPLETED', { done: true }]);
  let ran = 0;
  const guarded = governance.guard('pay', (_: { order: string }) => (ran += 1));
  await assert.rejects(guarded({ order: 'o-2' }), { code: 'NOT_FOR_THIS_PROCESS' });
  assert.equal(ran, 0);
  assert.deepEqual(
    [...downstream.received],
    [
      ['o-1', 1],
      ['o-2', 1],
    ],
  );
});

test('pausing, withdrawing, rotating and revoking apply to a client with a token, each with its own error', async () => {
  const governed = await governedBy();
  const { agent, tool, owner } = governed;
  const governance = getClient(governed);
  const { ran, guarded } = runs(governance);
  const post = async (path: string, body: object = {}) => {
    const answer = await owner('POST', path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  await guarded(1);
  await post(`/v1/agents/${agent.id}/pause`);
  await assert.rejects(guarded(2), StoppedByOperator);
  await post(`/v1/agents/${agent.id}/resume`);
  await post(`/v1/tools/${tool.id}/disable`, { reason: 'test' });
  await assert.rejects(guarded(3), { code: 'TOOL_DISABLED' });
  await post(`/v1/tools/${tool.id}/enable`, { reason: 'test' });
  await owner('DELETE', `/v1/agents/${agent.id}/capabilities/pay`);
  await assert.rejects(guarded(4), NotAuthorized);
  await post(`/v1/agents/${agent.id}/capabilities`, { capability: 'pay' });
  const rotated = await post(`/v1/agents/${agent.id}/rotate-credentials`);
  await assert.rejects(guarded(5), IdentityGenerationStale);
  const next = runs(getClient(governed, { privateKey: rotated.data.private_key, keyGeneration: 2 }));
  await next.guarded(6);
  await post(`/v1/agents/${agent.id}/revoke`, { reason: 'test' });
  await assert.rejects(next.guarded(7), IdentityRevoked);
  assert.deepEqual([...ran, ...next.ran], [1, 6]);
});

test('a logged-out session has ended, and the next call begins another', async () => {
  const governance = getClient(await governedBy());
  await governance.act('pay');
  await governance.logout();
  assert.equal((await governance.act('pay')).decision, 'ALLOW');
});

test('a malformed request is refused with the faulty places', async () => {
  const governance = getClient(await governedBy());
  for (const amount of [-1, 1.5, Number.NaN, 2 ** 60]) {
    await assert.rejects(governance.act('pay', { amount, currency: 'USD' }), { code: 'VALIDATION_FAILED', status: 400 });
  }
  await assert.rejects(
    governance.act('no.such.tool'),
    (error: { code: string }) => error.code === 'NOT_FOUND' || error.code === 'TOOL_NOT_AUTHORIZED',
  );
});

test('masked values are hidden by the client as by the service: from the function, the caller and the record', async () => {
  const rules = [
    { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
    { id: 'hide', effect: 'MASK', reason: 'Hidden.', mask: { parameters: ['customer.iban', 'list.*.pin'], result: ['*.email', 'a~1b.0'] } },
  ];
  const governed = await newGoverned(planes, { rules, tests: [{ name: 'any', given: {}, then: { effect: 'MASK' } }] });
  const ran: unknown[] = [];
  const result = { one: { email: 'a@b', id: 1 }, two: [[{ email: 'c@d' }]], 'a.b': ['first', 'second'] };
  const guarded = getClient(governed).guard(
    'pay',
    (order: object) => {
      ran.push(order);
      return result;
    },
    { result: (all) => all },
  );
  const shown = { one: { email: '[masked]', id: 1 }, two: [[{ email: '[masked]' }]], 'a.b': ['[masked]', 'second'] };
  assert.deepEqual(await guarded({ customer: { iban: 'DE00' }, list: [{ pin: 1 }, [{ pin: 2 }]] }), shown);
  const parameters = { customer: { iban: '[masked]' }, list: [{ pin: '[masked]' }, [{ pin: '[masked]' }]] };
  assert.deepEqual(ran, [parameters]);
  const [recorded] = (await governed.owner('GET', '/v1/actions?limit=1')).json.data;
  const action = (await governed.owner('GET', `/v1/actions/${recorded.id}`)).json;
  assert.deepEqual([action.parameters, action.execution.result], [parameters, shown]);
});

test('an agent delegates part of its authority, the other acts under it, and an excess is refused with its dimension', async () => {
  const scene = await newDelegating(planes, 2);
  const clients = scene.agents.map((agent) => getClient({ ...scene, agent }));
  const [from, to] = [clients[0], clients[1]];
  assert.ok(from && to);
  const parentId = await scene.root(0, { scope: { capabilities: ['pay'] }, ceiling: { max_amount: 5_000, currency: 'USD' } });
  const expiresAt = new Date(Date.now() + 60_000);
  const options = { parentId, ceiling: { maxAmount: 1_000, maxCalls: 2 }, expiresAt, idempotencyKey: 'hand-on' };
  const [made, again] = [await from.delegate(to.agentId, options), await from.delegate(to.agentId, options)];
  assert.equal(made.id, again.id);
  assert.deepEqual(made.ceiling, { max_amount: 1_000, currency: 'USD', max_calls: 2, window_seconds: null });
  assert.equal(made.expires_at, expiresAt.toISOString());
  const delegationId = made.id;
  assert.equal((await to.act('pay', { delegationId, amount: 1_000, currency: 'USD' })).decision, 'ALLOW');
  await assert.rejects(to.act('pay', { delegationId, amount: 1_001, currency: 'USD' }), AuthorityExceeded);
  const error = await from.delegate(to.agentId, { parentId, scope: { capabilities: ['read'] } }).catch((thrown) => thrown);
  assert.ok(error instanceof DelegationEscalation, String(error));
  assert.deepEqual(error.fields, [{ field: 'scope.capabilities', parent: ['pay'], asked: ['read'] }]);
});

/** A client, and the requests that it sent with a token. */
const newWatched = (governed: Governed, options: Partial<GovernanceOptions> = {}) => {
  const sent: Headers[] = [];
  const watching: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.has('authorization')) sent.push(headers);
    return fetch(input, init);
  };
  return { sent, governance: getClient(governed, { ...options, fetch: watching }) };
};

const sendAction = (headers: Record<string, string>) =>
  fetch(`${planes.gatewayUrl}/gateway/v1/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ tool: 'pay' }),
  });

test('an agent that is held to proofs of possession acts as before, and its token is useless to others', async () => {
  const governed = await governedBy();
  const { sent, governance } = newWatched(governed);
  await governance.act('pay', { amount: 1, currency: 'USD' });
  assert.match(sent[0]?.get('authorization') ?? '', /^Bearer /);
  const required = await governed.owner('PATCH', `/v1/agents/${governed.agent.id}`, { require_dpop: true });
  assert.equal(required.json.require_dpop, true, required.text);
  sent.length = 0;
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => governance.act('pay', { amount: 1, currency: 'USD' })));
  assert.equal(first?.decision, 'ALLOW');
  assert.equal(others.length, 4);
  await governance.withContext('ticket-7').act('pay', { amount: 1, currency: 'USD' });
  assert.equal((await governance.handshake()).agent_id, governed.agent.id);
  const stolen = sent.at(-1);
  const [authorization, dpop] = [stolen?.get('authorization') ?? '', stolen?.get('dpop') ?? ''];
  assert.match(authorization, /^DPoP /);
  for (const headers of [{ authorization: authorization.replace('DPoP', 'Bearer') }, { authorization }, { authorization, dpop }])
    assert.equal((await sendAction(headers)).status, 401, JSON.stringify(Object.keys(headers)));
  assert.equal(new Set(sent.flatMap((headers) => headers.get('dpop') ?? [])).size, sent.filter((headers) => headers.has('dpop')).length);
  await governance.logout();
});

test('a client with the option dpop binds its tokens', async () => {
  const governed = await governedBy();
  const { sent, governance } = newWatched(governed, { dpop: true });
  await governance.act('pay', { amount: 1, currency: 'USD' });
  assert.match(sent.at(-1)?.get('authorization') ?? '', /^DPoP /);
});
