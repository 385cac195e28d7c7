import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyCondition } from '@svc/contract/policies/language.ts';
import { NO_FLOW } from '@svc/domain/risk/contexts/flow-context.ts';
import { compileSet } from '@svc/policy/judge/compile-set.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import type { ApprovalFacts, DerivedRequest, Facts, Learned } from './facts.ts';
import { buildPolicyContext } from './policy-context.ts';
import { requestHash } from './request-hash.ts';

const policiesReading = (...fields: string[]) =>
  compileSet([
    compileVersion({
      policy_id: 'pol_1',
      policy_name: 'p',
      version_id: 'pvr_1',
      version_number: 1,
      binding: { scope: 'ORGANIZATION', id: 'org_1' },
      body: {
        rules: fields.map((field): { id: string; effect: 'BLOCK'; reason: string; when: PolicyCondition } => ({
          id: field,
          effect: 'BLOCK',
          reason: 'r',
          when: { field, op: 'exists' },
        })),
        tests: [],
      },
    }),
  ]);

const derived: DerivedRequest = { parameters: { order: '1' }, amount: null, currency: null, destination: null, execution: null };
const tool = {
  id: 'tool_1',
  name: 'refund.create',
  required_capability: 'payments.refund',
  risk_rating: 'LOW',
  dangerous: false,
  kind: 'SDK',
  flow: NO_FLOW,
};
const learnedWith = (more: Partial<DerivedRequest> = {}): Learned => ({ tool, derived: { ...derived, ...more } }) as unknown as Learned;

const factsWith = (fields: readonly string[], more: Partial<Facts> = {}, time_zone = 'Europe/Berlin'): Facts =>
  ({
    now: new Date('2026-03-29T01:30:00.000Z'),
    principal: { type: 'AGENT', id: 'agt_1' },
    source: { ip: '::ffff:203.0.113.7' },
    environment: {
      workspace_id: 'wsp_1',
      type: 'PRODUCTION',
      mode: 'ENFORCE',
      time_zone,
      risk: { internal: [] },
      policies: policiesReading(...fields),
    },
    agent: { agent_id: 'agt_1', name: 'clerk', labels: {}, capability_names: [], runtimes: [], created_at: '2026-03-01T00:00:00.000Z' },
    request: { tool: 'refund.create' },
    approval: undefined,
    requestHashes: (text: string) => ({ keyed: `hash of ${text}`, unkeyed: `unkeyed hash of ${text}` }),
    ...more,
  }) as unknown as Facts;

describe('the policy view of a request', () => {
  test('contains the time of the organization, if a rule requires it', () => {
    for (const field of ['time.hour', 'time.clock', 'time.weekday', 'time.date']) {
      assert.deepEqual(buildPolicyContext(factsWith([field]), learnedWith()).time, {
        hour: 3,
        clock: '03:30',
        weekday: 'SUN',
        date: '2026-03-29',
      });
    }
  });

  test('contains no time and no approval, if no rule requires them', () => {
    const context = buildPolicyContext(factsWith(['amount'], {}, 'Mars/Olympus'), learnedWith());
    assert.equal('time' in context, false);
    assert.equal('approval' in context, false);
  });

  test('fails if the time zone does not exist, so that no rule uses another one', () => {
    assert.throws(() => buildPolicyContext(factsWith(['time.hour'], {}, 'Mars/Olympus'), learnedWith()), RangeError);
  });

  test('contains the origin of the request, and nothing without an origin', () => {
    assert.deepEqual(buildPolicyContext(factsWith([]), learnedWith()).request, { source_ip: '::ffff:203.0.113.7' });
    assert.equal('request' in buildPolicyContext(factsWith([], { source: null }), learnedWith()), false);
  });

  test('contains the address of a destination that is named by address, and none of a host name', () => {
    const seen = (host: string) => buildPolicyContext(factsWith([]), learnedWith({ destination: { host, port: 443 } })).destination;
    assert.deepEqual(seen('api.example.com'), { host: 'api.example.com', port: 443, internal: false });
    assert.deepEqual(seen('10.0.0.1'), { host: '10.0.0.1', port: 443, ip: '10.0.0.1', internal: false });
    assert.deepEqual(seen('[2001:db8::1]'), { host: '[2001:db8::1]', port: 443, ip: '2001:db8::1', internal: false });
  });
});

describe('an approval is present', () => {
  const fields = ['approval.present'];
  const own = requestHash(factsWith(fields), learnedWith()).keyed;
  const approval: ApprovalFacts = {
    id: 'apr_1',
    action_id: 'act_1',
    agent_id: 'agt_1',
    status: 'APPROVED',
    request_hash: own,
    expires_at: '2026-03-29T02:00:00.000Z',
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
  const present = (given: Facts['approval']) => buildPolicyContext(factsWith(fields, { approval: given }), learnedWith()).approval?.present;

  test('if it was granted for this request and is still valid', () => {
    assert.equal(present(approval), true);
  });

  const not: readonly [string, Facts['approval']][] = [
    ['none was brought', undefined],
    ['there is none of that name', null],
    ['it was not decided yet', { ...approval, status: 'PENDING' }],
    ['it was denied', { ...approval, status: 'DENIED' }],
    ['it was used', { ...approval, status: 'CONSUMED' }],
    ['it ran out', { ...approval, expires_at: '2026-03-29T01:30:00.000Z' }],
    ['it was given to another agent', { ...approval, agent_id: 'agt_2' }],
    ['it was given for another request', { ...approval, request_hash: 'other' }],
  ];
  for (const [why, given] of not) test(`not if ${why}`, () => assert.equal(present(given), false));
});

describe('the policy view of a delegation', () => {
  const seen = (authority?: object) => buildPolicyContext(factsWith([]), { ...learnedWith(), authority } as Learned).delegation;

  test('is its depth and its authority', () => {
    const chain = { depth: 2, root_principal: { type: 'USER', id: 'usr_1' } };
    assert.deepEqual(seen({ chain }), { depth: 2, root_principal: 'usr_1' });
  });

  test('has no depth and no person if the agent uses its own grants, and nothing of an unknown delegation', () => {
    assert.deepEqual(seen(), { depth: 0 });
    assert.equal(seen({ chain: null }), undefined);
  });
});
