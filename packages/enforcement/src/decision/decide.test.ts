import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { AGENT_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import { compileSet } from '@svc/policy/judge/compile-set.ts';
import type { ApprovalFacts, Facts } from '../facts/facts.ts';
import { requestHash } from '../facts/request-hash.ts';
import { ALLOW, type Change, getFacts, getPolicies, NOW } from '../facts/sample-facts.fixture.ts';
import { PIPELINE } from '../pipeline.ts';
import { decide as decideBy, decideInParts } from './decide.ts';

/** Decides in one step, and the same in parts. */
const decide = (getFacts: Facts) => {
  const atOnce = decideBy(getFacts, 'act');
  const parts = decideInParts(getFacts, 'act');
  let part = parts.next();
  while (!part.done) part = parts.next();
  assert.deepEqual(part.value, atOnce);
  return atOnce;
};

const rule = (id: string, effect: PolicyRule['effect'], rest: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  effect,
  reason: `${id}.`,
  ...rest,
});

const MODES = ['OBSERVE', 'SIMULATE', 'ENFORCE'] as const;

describe('the pipeline', () => {
  test('runs its stages in the documented order', () => {
    assert.deepEqual(
      PIPELINE.map((stage) => stage.name),
      [
        ...['identity', 'environment', 'agent', 'tool', 'request', 'destination'],
        ...['authority', 'trust', 'currency', 'risk', 'policy', 'obligations', 'approval', 'credential'],
      ],
    );
  });

  test('relaxes authority, policy and approval in OBSERVE, and no other stage', () => {
    assert.deepEqual(
      PIPELINE.filter((stage) => stage.relaxedByObserve).map((stage) => stage.name),
      ['authority', 'policy', 'obligations', 'approval'],
    );
  });

  test('allows a request that every stage passes, with a finding of each', () => {
    const verdict = decide(getFacts());
    assert.equal(verdict.outcome, 'allowed');
    assert.equal(verdict.code, null);
    assert.equal(verdict.effect, 'ALLOW');
    assert.equal(verdict.reason, 'Fine.');
    assert.deepEqual(new Set(verdict.findings.map((finding) => finding.outcome)), new Set(['passed']));
    assert.equal(verdict.findings.length, PIPELINE.length);
  });
});

const HARD: readonly [string, Change, string][] = [
  ['a revoked agent', { agent: { status: 'REVOKED' } }, 'AGENT_IDENTITY_REVOKED'],
  ['a token of an earlier key', { session: { id: 'ses_1', generation: 1, series: 3, context: null } }, 'IDENTITY_GENERATION_STALE'],
  ['a paused environment', { environment: { paused_reason: 'incident' } }, 'ENVIRONMENT_PAUSED'],
  ['an isolated agent', { agent: { status: 'ISOLATED' } }, 'AGENT_ISOLATED'],
  ['an agent past its end date, with any status', { agent: { expires_at: '2026-03-01T12:00:00.000Z' } }, 'AGENT_NOT_OPERATIONAL'],
  ['a killed session', { session: { id: 'ses_1', generation: 2, series: 2, context: null } }, 'AGENT_TOKEN_EXPIRED'],
  ['a session that logged out', { session: { id: 'ses_ended', generation: 2, series: 3, context: null } }, 'AGENT_TOKEN_EXPIRED'],
  ['an expired passport', { agent: { passport_expires_at: '2026-03-01T12:00:00.000Z' } }, 'PASSPORT_INVALID'],
  ['an agent without a passport', { agent: { passport_expires_at: null } }, 'PASSPORT_INVALID'],
  ['an unknown tool', { request: { tool: 'nothing' } }, 'NOT_FOUND'],
  ['a disabled tool', { tool: { status: 'DISABLED', disabled_reason: 'leak' } }, 'TOOL_DISABLED'],
  ['a capability that was never granted', { agent: { capabilities: new Set() } }, 'CAPABILITY_NOT_GRANTED'],
  ['a tool the agent is not authorized for', { agent: { tool_ids: new Set() } }, 'TOOL_NOT_AUTHORIZED'],
  ['parameters that do not fit', { tool: { checkParameters: () => [{ pointer: '/parameters/x', message: 'no' }] } }, 'VALIDATION_FAILED'],
  ['parameters over 64 KiB', { parametersBytes: 65_537 }, 'VALIDATION_FAILED'],
  ['an amount the tool declares and the request leaves out', { tool: { amount_from: '/total' } }, 'VALIDATION_FAILED'],
  [
    'a currency that the agent chose for an amount of the tool',
    { tool: { amount_from: '/total' }, request: { tool: 'refund.create', parameters: { total: 5 }, currency: 'EUR' } },
    'VALIDATION_FAILED',
  ],
  ['a destination outside the allowlist', { request: { tool: 'refund.create', destination: 'evil.example' } }, 'DESTINATION_BLOCKED'],
  [
    'no destination where the tool has an allowlist',
    { tool: { allowlist: [{ host: 'a.example', subdomains: false }] } },
    'DESTINATION_BLOCKED',
  ],
  ['a currency without a rate', { request: { tool: 'refund.create', amount: 5, currency: 'EUR' } }, 'UNPROCESSABLE'],
];

describe('in every mode', () => {
  for (const [what, change, code] of HARD) {
    test(`${what} is refused with ${code}`, () => {
      for (const mode of MODES) {
        const verdict = decide(getFacts({ ...change, environment: { ...change.environment, mode } }));
        assert.equal(verdict.outcome, 'refused', mode);
        assert.equal(verdict.code, code, mode);
        assert.equal(verdict.effect, 'BLOCK');
        assert.equal(verdict.hard, true);
        assert.equal(verdict.findings.at(-1)?.outcome, 'refused');
      }
    });
  }

  test('refuses every agent status except ACTIVE', () => {
    for (const mode of MODES) {
      for (const status of AGENT_STATUSES) {
        const verdict = decide(getFacts({ agent: { status }, environment: { mode } }));
        assert.equal(verdict.outcome === 'allowed', status === 'ACTIVE', `${status} in ${mode}`);
      }
    }
  });
});

describe('policy', () => {
  test('without a matching rule nothing is allowed, and the response states it', () => {
    const verdict = decide(getFacts({ environment: { policies: compileSet([]) } }));
    assert.equal(verdict.code, 'ACTION_BLOCKED');
    assert.equal(verdict.reason, 'No policy rule allows this action');
    assert.equal(verdict.learned.policy?.matched_rule, null);
  });

  test('a block is relaxed in OBSERVE, and the decision of ENFORCE is stored', () => {
    const policies = getPolicies([ALLOW, rule('stop', 'BLOCK')]);
    const verdict = decide(getFacts({ environment: { policies, mode: 'OBSERVE' } }));
    assert.equal(verdict.outcome, 'allowed');
    assert.equal(verdict.effect, 'BLOCK');
    assert.equal(verdict.code, 'ACTION_BLOCKED');
    assert.equal(verdict.relaxed, true);
  });

  test('a hard refusal after a relaxed one applies, and its code is returned', () => {
    const policies = getPolicies([rule('stop', 'BLOCK')]);
    const change: Change = {
      environment: { policies, mode: 'OBSERVE' },
      request: { tool: 'refund.create', delegation_id: 'del_x', amount: 1, currency: 'EUR' },
    };
    const verdict = decide(getFacts(change));
    assert.equal(verdict.outcome, 'refused');
    assert.equal(verdict.code, 'UNPROCESSABLE');
    assert.equal(verdict.findings.find((finding) => finding.stage === 'authority')?.outcome, 'relaxed');
  });
});

const APPROVED: ApprovalFacts = {
  id: 'apr_1',
  action_id: 'act_1',
  agent_id: 'agt_1',
  status: 'APPROVED',
  request_hash: '',
  expires_at: '2026-03-01T13:00:00.000Z',
  approver_roles: ['approver'],
  role_quorums: [1],
  quorum: 1,
  step_up: false,
  root_principal_id: null,
  approved_by: null,
  is_restored: false,
  separation: 'STRICT',
  consumed_by: null,
};
const HOLDING = getPolicies([ALLOW, rule('person', 'REQUIRE_APPROVAL')]);

const hashOf = (given: Facts): string => requestHash(given, decide({ ...given, approval: undefined }).learned).keyed;
const withApproval = (change: Change, approval: Partial<ApprovalFacts> = {}): Facts => {
  const given = getFacts({ environment: { policies: HOLDING }, ...change });
  return { ...given, approval: { ...APPROVED, request_hash: hashOf(getFacts({ environment: { policies: HOLDING } })), ...approval } };
};

describe('an approval', () => {
  test('is required if a rule requires a person', () => {
    const verdict = decide(getFacts({ environment: { policies: HOLDING } }));
    assert.equal(verdict.outcome, 'held');
    assert.equal(verdict.code, 'APPROVAL_REQUIRED');
    assert.equal(verdict.effect, 'REQUIRE_APPROVAL');
  });

  test('that was granted for this request permits it and is consumed', () => {
    const verdict = decide(withApproval({}));
    assert.equal(verdict.outcome, 'allowed');
    assert.equal(verdict.code, null);
    assert.equal(verdict.learned.consumes?.id, 'apr_1');
  });

  const others: readonly [string, Change][] = [
    ['other parameters', { request: { tool: 'refund.create', parameters: { order: '2' } } }],
    ['an amount', { request: { tool: 'refund.create', parameters: { order: '1' }, amount: 1 } }],
    ['another agent', { agent: { agent_id: 'agt_2' } }],
    [
      'a destination',
      {
        request: { tool: 'refund.create', parameters: { order: '1' }, destination: 'a.example' },
        tool: { allowlist: [{ host: 'a.example', subdomains: false }] },
      },
    ],
  ];
  for (const [what, change] of others) {
    test(`does not permit a request with ${what}`, () => {
      const verdict = decide(withApproval(change));
      assert.equal(verdict.code, 'APPROVAL_NOT_GRANTED');
      assert.equal(verdict.learned.consumes, undefined);
    });
  }

  test('does not permit a request with another authority than when it was requested', () => {
    for (const status of ['PENDING', 'APPROVED'] as const) {
      const verdict = decide(withApproval({}, { status, root_principal_id: 'usr_1' }));
      assert.deepEqual([verdict.outcome, verdict.code, verdict.learned.consumes], ['refused', 'APPROVAL_NOT_GRANTED', undefined]);
    }
  });

  test('permits the same request with any member order and any name of the tool', () => {
    const reordered = getFacts({ environment: { policies: HOLDING }, request: { parameters: { b: 1, a: 2 }, tool: 'tool_1' } });
    const original = getFacts({ environment: { policies: HOLDING }, request: { tool: 'refund.create', parameters: { a: 2, b: 1 } } });
    assert.equal(hashOf(reordered), hashOf(original));
  });

  const states: readonly [ApprovalFacts['status'], string, string][] = [
    ['PENDING', 'held', 'APPROVAL_REQUIRED'],
    ['DENIED', 'refused', 'APPROVAL_NOT_GRANTED'],
    ['CANCELLED', 'refused', 'APPROVAL_NOT_GRANTED'],
    ['CONSUMED', 'refused', 'APPROVAL_NOT_GRANTED'],
    ['EXPIRED', 'refused', 'APPROVAL_EXPIRED'],
  ];
  for (const [status, outcome, code] of states) {
    test(`that is ${status} answers ${code}`, () => {
      const verdict = decide(withApproval({}, { status }));
      assert.equal(verdict.outcome, outcome);
      assert.equal(verdict.code, code);
    });
  }

  test('that is past its time is expired before a job closes it', () => {
    for (const status of ['PENDING', 'APPROVED'] as const) {
      assert.equal(decide(withApproval({}, { status, expires_at: NOW.toISOString() })).code, 'APPROVAL_EXPIRED');
    }
  });

  test('that is unknown is not granted', () => {
    assert.equal(decide(getFacts({ approval: null })).code, 'APPROVAL_NOT_GRANTED');
  });

  test('never overrides a block that was added since', () => {
    const policies = getPolicies([ALLOW, rule('person', 'REQUIRE_APPROVAL'), rule('stop', 'BLOCK')]);
    const given = withApproval({});
    assert.equal(decide({ ...given, environment: { ...given.environment, policies } }).code, 'ACTION_BLOCKED');
  });

  const stricter: readonly [string, object][] = [
    ['another role', { approver_role: 'security' }],
    ['more people', { quorum: 2 }],
    ['a fresh proof', { step_up: true }],
  ];
  for (const [what, approval] of stricter) {
    test(`is not enough if the rules require ${what} than was requested`, () => {
      const given = withApproval({});
      const policies = getPolicies([ALLOW, rule('person', 'REQUIRE_APPROVAL'), { ...rule('more', 'REQUIRE_APPROVAL'), approval }]);
      for (const status of ['PENDING', 'APPROVED'] as const) {
        const getFacts = {
          ...given,
          environment: { ...given.environment, policies },
          approval: { ...APPROVED, ...given.approval, status },
        };
        const verdict = decide(getFacts as Facts);
        assert.equal(verdict.code, 'APPROVAL_NOT_GRANTED', status);
        assert.equal(verdict.learned.consumes, undefined);
      }
    });
  }

  test('is enough if the rules now require less than was requested, or no approval', () => {
    const asked = { approver_roles: ['approver', 'security'], quorum: 3, step_up: true };
    for (const rules of [[ALLOW, rule('person', 'REQUIRE_APPROVAL')], [ALLOW]]) {
      assert.equal(decide(withApproval({ environment: { policies: getPolicies(rules) } }, asked)).outcome, 'allowed');
    }
  });

  test('never overrides a stop of the agent or the environment', () => {
    assert.equal(decide(withApproval({ agent: { status: 'PAUSED' } })).code, 'AGENT_NOT_OPERATIONAL');
    assert.equal(decide(withApproval({ environment: { policies: HOLDING, paused_reason: 'x' } })).code, 'ENVIRONMENT_PAUSED');
  });
});
