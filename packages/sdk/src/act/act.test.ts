import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { buildDecision } from '@svc/testing/peers/peer-answers.ts';
import { createClient, type Deed, type Peer, type PeerRequest, refuseStage, startPeer } from '@svc/testing/peers/peer-gateway.ts';
import type { Decision } from '../wire/answers.ts';
import {
  ActionBlocked,
  ApprovalRequired,
  GatewayUnreachable,
  GovernanceError,
  NotExecuted,
  OutcomeUnknown,
  ServiceUnavailable,
} from '../wire/errors.ts';

const ACTIONS = '/gateway/v1/actions';

/** Answers action requests in sequence with these responses, then with the default. */
const onActions = (peer: Peer, ...deeds: Deed[]): void => {
  peer.deed = ({ path }) => (path === ACTIONS ? deeds.shift() : undefined);
};

const asked = (peer: Peer): PeerRequest[] => peer.seen.filter(({ path }) => path === ACTIONS);
const listKeys = (peer: Peer): unknown[] => asked(peer).map(({ headers }) => headers['idempotency-key']);

test('a request is sent in the API spelling, without omitted members', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await governance.act('refund.create', {
    parameters: { order: 'o-1', lines: [1, 2] },
    amount: 1250,
    currency: 'EUR',
    destination: 'api.example.com',
    delegationId: 'del_1',
    approvalId: 'apr_1',
    dryRun: true,
    idempotencyKey: 'order-1',
    timeoutMs: 5_000,
  });
  await governance.act('refund.list');
  assert.deepEqual(
    asked(peer).map(({ body }) => body),
    [
      {
        tool: 'refund.create',
        parameters: { order: 'o-1', lines: [1, 2] },
        amount: 1250,
        currency: 'EUR',
        destination: 'api.example.com',
        delegation_id: 'del_1',
        approval_id: 'apr_1',
        dry_run: true,
      },
      { tool: 'refund.list' },
    ],
  );
  const [first, second] = listKeys(peer);
  assert.equal(first, 'order-1');
  assert.match(String(second), /^[0-9a-f-]{36}$/);
});

test('each call has its own key, and an invalid one is refused before anything is sent', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await Promise.all(Array.from({ length: 20 }, () => governance.act('x')));
  assert.equal(new Set(listKeys(peer)).size, 20);
  const sent = peer.seen.length;
  for (const idempotencyKey of ['', 'a b', 'ä', 'a\nb', 'x'.repeat(256)]) {
    await assert.rejects(governance.act('x', { idempotencyKey }), TypeError, JSON.stringify(idempotencyKey));
  }
  assert.equal(peer.seen.length, sent);
});

test('parameters that JSON would change are refused before anything is sent', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await assert.rejects(governance.act('x', { parameters: { items: new Map([['a', 1]]) } }), /"\/items"/);
  await assert.rejects(governance.guard('x', (_: object) => 1)({ cents: Number.NaN }), TypeError);
  assert.equal(peer.seen.length, 0);
});

test('an ended token is replaced once for all its holders, and their requests succeed', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await governance.act('x');
  peer.tokens.clear();
  const decisions = await Promise.all(Array.from({ length: 20 }, () => governance.act('x')));
  assert.equal(decisions.length, 20);
  assert.equal(peer.count('/gateway/v1/token'), 2);
});

test('a second 401 is thrown', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.deed = ({ path }) => (path === ACTIONS ? refuseStage(401, 'AGENT_TOKEN_EXPIRED') : undefined);
  await assert.rejects(createClient(peer).act('x'), { code: 'AGENT_TOKEN_EXPIRED', status: 401 });
  assert.equal(asked(peer).length, 2);
});

for (const [status, code] of [
  [400, 'VALIDATION_FAILED'],
  [402, 'SUBSCRIPTION_REQUIRED'],
  [403, 'ACTION_BLOCKED'],
  [403, 'APPROVAL_REQUIRED'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [409, 'IDEMPOTENCY_KEY_REUSED'],
  [422, 'UNPROCESSABLE'],
  [502, 'EXECUTION_FAILED'],
  [504, 'EXECUTION_TIMEOUT'],
] as const) {
  test(`${status} ${code} is thrown without a retry`, async (t) => {
    const peer = await startPeer();
    t.after(peer.close);
    onActions(peer, refuseStage(status, code, {}, { 'retry-after': '0' }));
    await assert.rejects(createClient(peer).act('x'), { code, status, retryable: false });
    assert.equal(asked(peer).length, 1);
  });
}

test('429 and 503 are retried with the same key, not before Retry-After', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onActions(
    peer,
    refuseStage(503, 'POLICY_SERVICE_UNAVAILABLE'),
    { status: 503, body: '<html>from a proxy</html>' },
    refuseStage(429, 'RATE_LIMITED', undefined, { 'retry-after': '1' }),
  );
  const startedAt = performance.now();
  assert.equal((await createClient(peer).act('x')).decision, 'ALLOW');
  assert.ok(performance.now() - startedAt >= 1_150);
  assert.equal(asked(peer).length, 4);
  assert.equal(new Set(listKeys(peer)).size, 1);
});

test('a persistent 503 is thrown when the time of the call ends', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const stays = (seconds: string) => refuseStage(503, 'AUDIT_SERVICE_UNAVAILABLE', {}, { 'retry-after': seconds });
  onActions(peer, stays('0'), stays('0'), stays('21'));
  const startedAt = performance.now();
  const error = await createClient(peer)
    .act('x', { timeoutMs: 20_000 })
    .catch((thrown) => thrown);
  assert.ok(error instanceof ServiceUnavailable && error.retryable, inspect(error));
  assert.ok(performance.now() - startedAt < 20_000);
  assert.equal(asked(peer).length, 3);
});

test('500 is retried once', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onActions(peer, refuseStage(500, 'INTERNAL_ERROR'));
  await createClient(peer).act('x');
  onActions(peer, refuseStage(500, 'INTERNAL_ERROR'), refuseStage(500, 'INTERNAL_ERROR'), refuseStage(500, 'INTERNAL_ERROR'));
  await assert.rejects(createClient(peer).act('x'), { code: 'INTERNAL_ERROR' });
  assert.equal(asked(peer).length, 4);
});

test('a lost response is requested again with the same key, and its action is not executed twice', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onActions(peer, 'answer then cut', refuseStage(409, 'CONFLICT', undefined, { 'retry-after': '0' }));
  const decision = await createClient(peer).act('x', { idempotencyKey: 'lost' });
  assert.equal(asked(peer).length, 3);
  const again = await createClient(peer).act('x', { idempotencyKey: 'lost' });
  assert.equal(again.action_id, decision.action_id);
});

test('a silent gateway is reported soon, with the key for a safe retry', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.deed = ({ path }) => (path === ACTIONS ? 'cut' : undefined);
  const startedAt = performance.now();
  await assert.rejects(createClient(peer).act('x', { idempotencyKey: 'mine' }), {
    code: 'GATEWAY_UNREACHABLE',
    details: { address: peer.url, idempotency_key: 'mine' },
    retryable: true,
    status: undefined,
  });
  assert.ok(performance.now() - startedAt < 30_000);
});

test('an unreachable gateway is named with its address and the system error, and nothing of the request', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const gone = await startPeer();
  await gone.close();
  const error = await createClient(peer, { gatewayUrl: `${gone.url}/` })
    .act('x')
    .catch((thrown) => thrown);
  assert.ok(error instanceof GatewayUnreachable);
  assert.equal(error.address, gone.url);
  assert.ok(error.message.startsWith(`The gateway at ${gone.url} did not respond (ECONNREFUSED).`), error.message);
  assert.ok(error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ECONNREFUSED');
  assert.match(error.cause.message, /ECONNREFUSED/);
  const fetch = () => Promise.reject(Object.assign(new Error('secret'), { request: { authorization: 'secret' } }));
  const odd = await createClient(peer, { fetch })
    .act('x')
    .catch((thrown) => thrown);
  assert.ok(odd instanceof GatewayUnreachable && odd.cause === undefined && !JSON.stringify([odd, odd.message]).includes('secret'));
});

test('an action that was permitted and not executed by the service is thrown, unless the caller requests the decision', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const execution = { state: 'NOT_EXECUTED', reason: 'Calls to real destinations are off.' } as const;
  for (const [mode, status, thrown] of [
    ['ENFORCE', 'ALLOWED', true],
    ['OBSERVE', 'OBSERVED', true],
    ['SIMULATE', 'SIMULATED', false],
  ] as const) {
    peer.deed = ({ path }) => (path === ACTIONS ? { status: 200, body: buildDecision('x', { mode, status, execution }) } : undefined);
    const answer = await createClient(peer)
      .act('x')
      .catch((error) => error);
    assert.equal(answer instanceof NotExecuted, thrown, mode);
    if (answer instanceof NotExecuted) {
      assert.deepEqual([answer.code, answer.reason, answer.retryable], ['NOT_EXECUTED', execution.reason, false]);
      assert.match(answer.remedy ?? '', /GATEWAY_ALLOW_REAL_EGRESS.*allowNotExecuted/);
      assert.equal(answer.decision?.status, status);
      assert.ok(answer.message.endsWith(execution.reason), answer.message);
    }
    for (const options of [{ allowNotExecuted: true }, { dryRun: true }])
      assert.deepEqual((await createClient(peer).act('x', options)).execution, execution);
  }
});

test('an error of the gateway states the remedy, and where it is explained', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const { status, body } = refuseStage(403, 'ACTION_BLOCKED');
  const error = { ...(body as { error: object }).error, remedy: 'Ask somebody.', docs_url: '/docs/errors#ACTION_BLOCKED' };
  peer.deed = ({ path }) => (path === ACTIONS ? { status, body: { error } } : undefined);
  await assert.rejects(createClient(peer).act('x'), { remedy: 'Ask somebody.', docsUrl: `${peer.url}/docs/errors#ACTION_BLOCKED` });
  peer.deed = ({ path }) => (path === ACTIONS ? refuseStage(403, 'ACTION_BLOCKED') : undefined);
  await assert.rejects(createClient(peer).act('x'), { remedy: undefined, docsUrl: undefined });
});

test('retries of one step do not multiply with those of the next', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  for (const path of ['/.well-known/svc-platform-key', '/gateway/v1/token', ACTIONS]) {
    peer.deed = (request) => (request.path === path ? 'cut' : undefined);
    await assert.rejects(createClient(peer).act('x'), { code: 'GATEWAY_UNREACHABLE' });
    assert.equal(peer.count(path), 4, path);
    peer.seen.length = 0;
  }
});

test('a hanging gateway is given up after the time of the call, and at once if the caller aborts', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.deed = ({ path }) => (path === ACTIONS ? 'hang' : undefined);
  const governance = createClient(peer);
  await assert.rejects(governance.act('x', { timeoutMs: 200, idempotencyKey: 'k' }), {
    code: 'TIMED_OUT',
    details: { idempotency_key: 'k' },
  });
  for (const unanswered of [ACTIONS, '/gateway/v1/token', '/.well-known/svc-platform-key']) {
    const deaf: typeof fetch = (url, init) => (String(url).endsWith(unanswered) ? new Promise<Response>(() => {}) : fetch(url, init));
    await assert.rejects(createClient(peer, { fetch: deaf, timeoutMs: 200 }).act('x'), { code: 'TIMED_OUT' }, unanswered);
  }
  const signal = AbortSignal.timeout(100);
  const startedAt = performance.now();
  await assert.rejects(governance.act('x', { signal, timeoutMs: 60_000 }), { name: 'TimeoutError' });
  assert.ok(performance.now() - startedAt < 30_000);
  const sent = peer.seen.length;
  await assert.rejects(governance.act('x', { signal: AbortSignal.abort(new Error('before')) }), /before/);
  assert.equal(peer.seen.length, sent);
});

test('a redirect is not followed, so that the token is not sent elsewhere', async (t) => {
  const peer = await startPeer();
  const other = await startPeer();
  t.after(peer.close);
  t.after(other.close);
  onActions(peer, { status: 307, body: '', headers: { location: `${other.url}${ACTIONS}` } });
  await assert.rejects(createClient(peer).act('x'), { code: 'ANSWER_UNREADABLE', status: 307 });
  assert.equal(other.seen.length, 0);
});

const right = buildDecision('x');
const unreadable: readonly (readonly [string, unknown])[] = [
  ['no JSON', 'Allowed!'],
  ['JSON cut short', JSON.stringify(right).slice(0, -1)],
  ['nothing', ''],
  ['null', 'null'],
  ['true', 'true'],
  ['an array of decisions', [right]],
  ['an unknown effect', { ...right, decision: 'PERMIT' }],
  ['an effect in lower case', { ...right, decision: 'allow' }],
  ['no effect', { ...right, decision: undefined }],
  ['an unknown mode', { ...right, mode: 'LENIENT' }],
  ['an unknown status', { ...right, status: 'FINE' }],
  ['a code that is no text', { ...right, code: 0 }],
  ['no explanation', { ...right, explanation: undefined }],
  ['an execution without a state', { ...right, execution: {} }],
  ['an error in the place of a decision', { error: { code: 'ACTION_BLOCKED', message: 'no', request_id: 'req_1' } }],
  ['a decision one level down', { data: right }],
];
for (const [what, body] of unreadable) {
  test(`a response with ${what} is an error, with any status`, async (t) => {
    const peer = await startPeer();
    t.after(peer.close);
    onActions(peer, { status: 200, body });
    const details = { idempotency_key: 'k' };
    await assert.rejects(createClient(peer).act('x', { idempotencyKey: 'k' }), {
      code: 'ANSWER_UNREADABLE',
      requestId: 'req_peer',
      details,
    });
    assert.equal(asked(peer).length, 1);
  });
}

test('a negative decision is thrown even with a success status, unless the environment only observes', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  const against: Partial<Decision>[] = [
    { code: 'ACTION_BLOCKED' },
    { decision: 'BLOCK' },
    { code: 'AUTHORITY_EXCEEDED', decision: 'BLOCK' },
  ];
  for (const changes of against) {
    onActions(peer, { status: 200, body: buildDecision('x', changes) });
    await assert.rejects(governance.act('x'), { code: changes.code ?? 'ACTION_BLOCKED' });
    for (const mode of ['OBSERVE', 'SIMULATE'] as const) {
      onActions(peer, { status: 200, body: buildDecision('x', { ...changes, mode }) });
      assert.equal((await governance.act('x')).mode, mode);
    }
  }
});

test('a refusal has its class, its request id, and the decision with its explanation', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const decision = buildDecision('x', { decision: 'BLOCK', status: 'BLOCKED', code: 'ACTION_BLOCKED', reason: 'Not on Sundays.' });
  onActions(peer, refuseStage(403, 'ACTION_BLOCKED', { decision }));
  const error = await createClient(peer)
    .act('x')
    .catch((thrown) => thrown);
  assert.ok(error instanceof ActionBlocked && error instanceof GovernanceError && error instanceof Error);
  assert.deepEqual([error.name, error.requestId, error.status], ['ActionBlocked', 'req_peer', 403]);
  assert.deepEqual(error.decision, decision);
});

test('a timeout of the service is reported as an unknown outcome, and not as retryable', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onActions(
    peer,
    refuseStage(504, 'EXECUTION_TIMEOUT', { decision: buildDecision('x', { status: 'UNKNOWN', code: 'EXECUTION_TIMEOUT' }) }),
  );
  const error = await createClient(peer)
    .act('x')
    .catch((thrown) => thrown);
  assert.ok(error instanceof OutcomeUnknown);
  assert.deepEqual([error.retryable, error.decision?.status], [false, 'UNKNOWN']);
});

const held = (id: string) =>
  refuseStage(403, 'APPROVAL_REQUIRED', { approval_id: id, poll_after_seconds: 0.01, expires_at: '2999-01-01T00:00:00.000Z' });

const getApproval = (id: string, status: string, more: object = {}) => ({
  status: 200,
  body: {
    id,
    action_id: 'act_1',
    status,
    reason: 'r',
    denial_reason: null,
    poll_after_seconds: 0.01,
    expires_at: '2999-01-01T00:00:00.000Z',
    ...more,
  },
});

test('without a wait option, a held request is thrown with the approval to wait for', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onActions(peer, held('apr_1'));
  const error = await createClient(peer)
    .act('x')
    .catch((thrown) => thrown);
  assert.ok(error instanceof ApprovalRequired);
  assert.deepEqual([error.approvalId, error.pollAfterSeconds, error.expiresAt], ['apr_1', 0.01, '2999-01-01T00:00:00.000Z']);
});

test('a held request is sent again with its granted approval, under another key that a second process would use too', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  let looks = 0;
  const usual = (seen: PeerRequest): Deed => {
    if (seen.path.startsWith('/gateway/v1/approvals/apr_1')) {
      looks += 1;
      return getApproval('apr_1', looks < 3 ? 'PENDING' : 'APPROVED');
    }
    return seen.path === ACTIONS && seen.body.approval_id === undefined ? held('apr_1') : undefined;
  };
  peer.deed = usual;
  const request = { parameters: { a: 1 }, amount: 5, currency: 'EUR', idempotencyKey: 'order-1', waitForApproval: true } as const;
  const first = await createClient(peer).act('x', request);
  const resumed = await createClient(peer).act('x', request);
  assert.equal(looks, 4);
  assert.equal(resumed.action_id, first.action_id);
  const [before, after] = asked(peer);
  assert.deepEqual(after?.body, { ...before?.body, approval_id: 'apr_1' });
  const [own, ofApproval, , again] = listKeys(peer);
  assert.equal(own, 'order-1');
  assert.match(String(ofApproval), /^approval-apr_1-[0-9a-f]{64}$/);
  assert.equal(again, ofApproval);
});

test('a request that is held again after its approval is thrown instead of waiting forever', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.deed = ({ path }) =>
    path === ACTIONS ? held('apr_1') : path.includes('/approvals/') ? getApproval('apr_1', 'APPROVED') : undefined;
  await assert.rejects(createClient(peer).act('x', { waitForApproval: true }), ApprovalRequired);
  assert.equal(asked(peer).length, 2);
});

test('a dry run that would be held does not wait', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onActions(peer, held('apr_1'));
  await assert.rejects(createClient(peer).act('x', { waitForApproval: true, dryRun: true }), ApprovalRequired);
});
