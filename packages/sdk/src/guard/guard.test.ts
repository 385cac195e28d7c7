import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDecision } from '@svc/testing/peers/peer-answers.ts';
import { createClient, type Deed, type Peer, type PeerRequest, refuseStage, startPeer } from '@svc/testing/peers/peer-gateway.ts';
import type { Decision } from '../wire/answers.ts';
import { ActionBlocked, CannotMask, NotForThisProcess, ParametersChanged, ResultWithheld, Simulated } from '../wire/errors.ts';
import type { GuardOptions, SideError } from '../wire/options.ts';

const ACTIONS = '/gateway/v1/actions';
const onActions = (peer: Peer, ...deeds: Deed[]): void => {
  peer.deed = ({ path }) => (path === ACTIONS ? deeds.shift() : undefined);
};
const asked = (peer: Peer): PeerRequest[] => peer.seen.filter(({ path }) => path === ACTIONS);
const outcomes = (peer: Peer): PeerRequest[] => peer.seen.filter(({ path }) => path.endsWith('/outcome'));

const decided = (changes: Partial<Decision>): Deed => ({ status: 200, body: buildDecision('x', changes) });

/** Builds a guarded function that counts its runs. */
const counted = <Args extends readonly unknown[] = [object?]>(peer: Peer, options: GuardOptions<Args, number> = {}) => {
  const runs: Args[] = [];
  const guarded = createClient(peer).guard(
    'x',
    (...args: Args) => {
      runs.push(args);
      return runs.length;
    },
    options,
  );
  return { runs, guarded };
};

test('a permitted call runs once with the evaluated arguments, and its outcome is reported before it returns', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const { runs, guarded } = counted(peer);
  assert.equal(await guarded({ order: 'o-1' }), 1);
  assert.deepEqual(runs, [[{ order: 'o-1' }]]);
  assert.deepEqual(asked(peer)[0]?.body, { tool: 'x', parameters: { order: 'o-1' } });
  assert.deepEqual(
    outcomes(peer).map(({ body }) => body),
    [{ status: 'COMPLETED' }],
  );
});

test('each call is requested separately', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const { guarded } = counted(peer);
  await Promise.all([guarded({}), guarded({}), guarded({})]);
  assert.equal(new Set(asked(peer).map(({ headers }) => headers['idempotency-key'])).size, 3);
  assert.equal(new Set(outcomes(peer).map(({ path }) => path)).size, 3);
});

const permitted: readonly (readonly [string, Partial<Decision>])[] = [
  ['ALLOW in ENFORCE', {}],
  ['MASK in ENFORCE', { decision: 'MASK' }],
  ['LIMIT in ENFORCE', { decision: 'LIMIT' }],
  ['an approval that was given', { decision: 'REQUIRE_APPROVAL' }],
  ['ALLOW in OBSERVE', { mode: 'OBSERVE', status: 'OBSERVED' }],
  ['BLOCK in OBSERVE', { mode: 'OBSERVE', status: 'OBSERVED', decision: 'BLOCK', code: 'ACTION_BLOCKED' }],
];
for (const [what, changes] of permitted) {
  test(`${what} runs the function`, async (t) => {
    const peer = await startPeer();
    t.after(peer.close);
    onActions(peer, decided(changes));
    const { runs, guarded } = counted(peer);
    await guarded({});
    assert.equal(runs.length, 1);
  });
}

const notPermitted: readonly (readonly [string, Deed])[] = [
  ['a refusal', refuseStage(403, 'ACTION_BLOCKED')],
  ['a held request', refuseStage(403, 'APPROVAL_REQUIRED', { approval_id: 'apr_1' })],
  ['an outage', refuseStage(400, 'VALIDATION_FAILED')],
  ['a gateway that cannot be reached', 'cut'],
  ['an answer that is no JSON', { status: 200, body: 'yes' }],
  ['an unknown effect', decided({ decision: 'PERMIT' as 'ALLOW' })],
  ['an unknown mode', decided({ mode: 'TRUST' as 'ENFORCE' })],
  ['SIMULATE', decided({ mode: 'SIMULATE', status: 'SIMULATED' })],
  ['SIMULATE that claims to permit', decided({ mode: 'SIMULATE', status: 'ALLOWED' })],
  ['a tool that the service has executed', decided({ status: 'COMPLETED', execution: { state: 'EXECUTED' } })],
  ['a tool that the service would execute', decided({ execution: { state: 'NOT_EXECUTED' } })],
  ['a decision that says nothing of who executes', decided({ execution: undefined as never })],
  ['an action that is closed', decided({ status: 'COMPLETED' })],
  ['an action that still waits', decided({ status: 'PENDING_APPROVAL' })],
  ['an action without a record', decided({ action_id: null })],
  ['an observed status in ENFORCE', decided({ status: 'OBSERVED' })],
  ['an allowed status in OBSERVE', decided({ mode: 'OBSERVE', status: 'ALLOWED' })],
  ['BLOCK that comes as a success', decided({ decision: 'BLOCK' })],
  ['a code that comes as a success', decided({ code: 'AUTHORITY_EXCEEDED' })],
];
for (const [what, deed] of notPermitted) {
  test(`${what} does not run the function and reports no outcome`, async (t) => {
    const peer = await startPeer();
    t.after(peer.close);
    onActions(peer, deed, deed, deed, deed);
    const { runs, guarded } = counted(peer);
    await assert.rejects(guarded({}));
    assert.equal(runs.length, 0);
    assert.equal(outcomes(peer).length, 0);
  });
}

test('the error states what would have happened in SIMULATE, and what the service executed itself', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const { guarded } = counted(peer);
  onActions(peer, decided({ mode: 'SIMULATE', status: 'SIMULATED', decision: 'BLOCK', code: 'ACTION_BLOCKED' }));
  const simulated = await guarded({}).catch((thrown) => thrown);
  assert.ok(simulated instanceof Simulated);
  assert.equal(simulated.decision?.code, 'ACTION_BLOCKED');
  onActions(peer, decided({ status: 'COMPLETED', execution: { state: 'EXECUTED', result: { id: 7 } } }));
  const elsewhere = await guarded({}).catch((thrown) => thrown);
  assert.ok(elsewhere instanceof NotForThisProcess);
  assert.deepEqual(elsewhere.decision?.execution?.result, { id: 7 });
  onActions(peer, refuseStage(403, 'ACTION_BLOCKED'));
  await assert.rejects(guarded({}), ActionBlocked);
});

test('an error of the function is rethrown unchanged, and reported as a failure', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const failure = new RangeError('no such order');
  for (const fn of [() => Promise.reject(failure), () => raise(failure)]) {
    await assert.rejects(createClient(peer).guard('x', fn)(), (thrown) => thrown === failure);
  }
  await assert.rejects(createClient(peer).guard('x', () => raise('a text'))(), (thrown) => thrown === 'a text');
  assert.deepEqual(
    outcomes(peer).map(({ body }) => body),
    [
      { status: 'FAILED', error: 'RangeError: no such order' },
      { status: 'FAILED', error: 'RangeError: no such order' },
      { status: 'FAILED', error: 'string' },
    ],
  );
});

test('a failure is described in at most 2,000 storable characters, or as the caller defines', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const long = `${'x'.repeat(1_992)}😀😀`;
  await assert.rejects(createClient(peer).guard('x', () => raise(new Error(long)))());
  await assert.rejects(createClient(peer).guard('x', () => raise(new Error('secret')), { describeError: () => 'failed' })());
  const [first, second] = outcomes(peer).map(({ body }) => body.error);
  assert.equal(first.length, 2_000);
  assert.ok(first.isWellFormed());
  assert.equal(second, 'failed');
});

test('only the selected part of a result is recorded', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const guarded = createClient(peer).guard('x', () => ({ id: 1, card: 'secret' }), { result: ({ id }) => ({ id }) });
  assert.deepEqual(await guarded(), { id: 1, card: 'secret' });
  assert.deepEqual(outcomes(peer)[0]?.body, { status: 'COMPLETED', result: { id: 1 } });
});

test('a failing report never hides the result or the error of the function, and is reported', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const told: SideError[] = [];
  const governance = createClient(peer, { timeoutMs: 500, onError: (failure) => void told.push(failure) });
  peer.deed = ({ path }) => (path.endsWith('/outcome') ? refuseStage(503, 'AUDIT_SERVICE_UNAVAILABLE') : undefined);
  assert.equal(await governance.guard('x', () => 7)(), 7);
  await assert.rejects(governance.guard('x', () => raise(new Error('own')))(), /own/);
  await flushed();
  assert.deepEqual(
    told.map(({ during, actionId }) => [during, typeof actionId]),
    [
      ['outcome', 'string'],
      ['outcome', 'string'],
    ],
  );
});

test('a throwing hook changes nothing', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.deed = ({ path }) => (path.endsWith('/outcome') ? refuseStage(404, 'NOT_FOUND') : undefined);
  const onError = () => raise(new Error('the hook is broken'));
  assert.equal(await createClient(peer, { onError }).guard('x', () => 7)(), 7);
  assert.equal(await createClient(peer).guard('x', () => 8, { onError })(), 8);
  await flushed();
});

test('an unrecordable result or error does not prevent the report of the outcome', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const told: SideError[] = [];
  const governance = createClient(peer, { onError: (failure) => void told.push(failure) });
  assert.equal(await governance.guard('x', () => 1n, { result: (value) => value })(), 1n);
  assert.equal(await governance.guard('x', () => 2, { result: () => raise(new Error('mapping')) })(), 2);
  await assert.rejects(governance.guard('x', () => raise(new Error('own')), { describeError: () => raise(new Error('mapping')) })(), /own/);
  await flushed();
  assert.equal(told.length, 3);
  assert.deepEqual(
    outcomes(peer).map(({ body }) => body.status),
    ['COMPLETED', 'COMPLETED', 'FAILED'],
  );
});

test('the request can be derived from the arguments, but never a key that would use one permission twice', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const request = (order: string, cents: number) => ({
    parameters: { order },
    amount: cents,
    currency: 'EUR',
    delegationId: 'del_1',
    idempotencyKey: 'always the same',
    dryRun: true,
  });
  const { guarded } = counted<[string, number]>(peer, { request });
  await guarded('o-1', 500);
  await guarded('o-1', 500);
  assert.deepEqual(asked(peer)[0]?.body, { tool: 'x', parameters: { order: 'o-1' }, amount: 500, currency: 'EUR', delegation_id: 'del_1' });
  assert.equal(new Set(asked(peer).map(({ headers }) => headers['idempotency-key'])).size, 2);
});

test('without a request function, arguments other than one object are refused before any request', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const { runs, guarded } = counted<unknown[]>(peer);
  for (const args of [['a text'], [1], [null], [[]], [{}, {}], [undefined, {}]]) await assert.rejects(guarded(...args), TypeError);
  assert.deepEqual([runs.length, peer.seen.length], [0, 0]);
});

test('arguments that change during the evaluation are not run, and the action is closed as failed', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const { runs, guarded } = counted<[{ iban: string }]>(peer);
  const order = { iban: 'DE00' };
  peer.deed = ({ path }) => {
    if (path === ACTIONS) order.iban = 'XX99';
    return undefined;
  };
  await assert.rejects(guarded(order), ParametersChanged);
  assert.equal(runs.length, 0);
  assert.deepEqual(asked(peer)[0]?.body.parameters, { iban: 'DE00' });
  assert.equal(outcomes(peer)[0]?.body.status, 'FAILED');
});

test('narrowed arguments that differ from the approved ones use up no key: the correct ones succeed afterwards', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const [expires_at, approved_request] = ['2999-01-01T00:00:00.000Z', { parameters: { n: 1 }, amount: null }];
  const about = { id: 'apr_1', action_id: 'act_1', reason: '', denial_reason: null, poll_after_seconds: 0, expires_at };
  const used = new Set<unknown>();
  peer.deed = ({ path, body, headers }) => {
    if (path.includes('/approvals/')) return { status: 200, body: { ...about, status: 'APPROVED', approved_request } };
    if (path !== ACTIONS) return undefined;
    if (!body.approval_id) return refuseStage(403, 'APPROVAL_REQUIRED', { approval_id: 'apr_1', poll_after_seconds: 0 });
    const key = headers['idempotency-key'];
    if (used.has(key)) return refuseStage(409, 'IDEMPOTENCY_KEY_REUSED');
    used.add(key);
    return body.parameters.n === 1 ? undefined : refuseStage(403, 'APPROVAL_NOT_GRANTED');
  };
  const guardedBy = (n: number) => counted<[object]>(peer, { waitForApproval: true, narrowed: () => [{ n }] });
  const [wrong, right] = [guardedBy(2), guardedBy(1)];
  await assert.rejects(wrong.guarded({ n: 5 }), { code: 'APPROVAL_NOT_GRANTED' });
  await right.guarded({ n: 5 });
  assert.deepEqual([wrong.runs, right.runs], [[], [[{ n: 1 }]]]);
});

test('a held call waits for its approval on request, and then runs once', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const body = {
    id: 'apr_1',
    action_id: 'act_1',
    reason: '',
    denial_reason: null,
    poll_after_seconds: 0,
    expires_at: '2999-01-01T00:00:00.000Z',
  };
  let status = 'PENDING';
  peer.deed = ({ path, body: sent }) => {
    if (path.includes('/approvals/')) return { status: 200, body: { ...body, status } };
    return path === ACTIONS && !sent.approval_id
      ? refuseStage(403, 'APPROVAL_REQUIRED', { approval_id: 'apr_1', poll_after_seconds: 0 })
      : undefined;
  };
  const { runs, guarded } = counted(peer, {
    waitForApproval: {
      onPoll: () => {
        status = 'APPROVED';
      },
    },
  });
  await guarded({ a: 1 });
  assert.equal(runs.length, 1);
  assert.deepEqual(asked(peer)[1]?.body, { tool: 'x', parameters: { a: 1 }, approval_id: 'apr_1' });
});

const masking = (mask: { parameters?: string[]; result?: string[] }, changes: Partial<Decision> = {}): Deed => {
  const { explanation } = buildDecision('x');
  const obligations = { mask: { parameters: mask.parameters ?? [], result: mask.result ?? [] }, limits: [] };
  return decided({ decision: 'MASK', explanation: { ...explanation, obligations }, ...changes });
};

test('masked parameters never reach the function', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const masks = masking({ parameters: ['customer.iban', 'items.email'] });
  onActions(peer, masks, masks, masks);
  const { runs, guarded } = counted<[object]>(peer);
  const order = { customer: { iban: 'DE00', name: 'Ada' }, items: [{ email: 'a@b', sku: 'A1' }] };
  await guarded(order);
  assert.deepEqual(runs, [[{ customer: { iban: '[masked]', name: 'Ada' }, items: [{ email: '[masked]', sku: 'A1' }] }]]);
  assert.equal(order.customer.iban, 'DE00', 'the arguments of the caller stay as they are');
  const request = (iban: string) => ({ parameters: { customer: { iban } } });
  const told = counted<[string]>(peer, {
    request,
    masked: (mask, iban) => [(mask({ customer: { iban } }) as { customer: { iban: string } }).customer.iban],
  });
  await told.guarded('DE00');
  assert.deepEqual(told.runs, [['[masked]']]);
  const untold = counted<[string]>(peer, { request });
  await assert.rejects(untold.guarded('DE00'), CannotMask);
  assert.deepEqual(untold.runs, []);
  assert.equal(outcomes(peer).at(-1)?.body.status, 'FAILED');
});

test('masked results do not reach the caller or the record', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const masks = masking({ result: ['*.email'] });
  onActions(peer, masks);
  const guarded = createClient(peer).guard('x', () => [{ email: 'a@b', id: 1 }], {
    result: (all) => ({ mails: all.map(({ email }) => email) }),
  });
  assert.deepEqual(await guarded(), [{ email: '[masked]', id: 1 }]);
  assert.deepEqual(outcomes(peer)[0]?.body, { status: 'COMPLETED', result: { mails: ['[masked]'] } });
});

test('a result that cannot be masked is withheld after the run, and nothing of it is reported', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  for (const result of ['a@b', 7, new Map([['email', 'a@b']])]) {
    onActions(peer, masking({ result: ['email'] }));
    await assert.rejects(
      createClient(peer).guard('x', () => result, { result: (all) => all as never, onError: () => undefined })(),
      ResultWithheld,
    );
    assert.deepEqual(outcomes(peer).at(-1)?.body, { status: 'COMPLETED' });
  }
  onActions(peer, masking({ result: ['email'] }));
  assert.equal(await createClient(peer).guard('x', () => undefined)(), undefined);
});

test('an environment that only observes masks nothing, and an unreadable mask permits nothing', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onActions(peer, masking({ parameters: ['iban'], result: ['iban'] }, { mode: 'OBSERVE', status: 'OBSERVED' }));
  const { runs, guarded } = counted<[object]>(peer);
  await guarded({ iban: 'DE00' });
  assert.deepEqual(runs, [[{ iban: 'DE00' }]]);
  const { explanation } = buildDecision('x');
  for (const mask of [undefined, 'all', { parameters: ['iban'] }, { parameters: 'iban', result: [] }]) {
    onActions(peer, decided({ explanation: { ...explanation, obligations: { mask, limits: [] } as never } }));
    await assert.rejects(guarded({ iban: 'DE00' }));
  }
  assert.equal(runs.length, 1);
});

const raise = (error: unknown): never => {
  throw error;
};

const flushed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
