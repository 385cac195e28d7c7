import { RULES, TESTS } from '../setting.ts';
import { type Asked, type Bodies, reason } from './bodies-of.ts';

export const policyBodies = ({ made, setting: { agent } }: Asked): Bodies => ({
  createPolicy: { name: `Policy ${made}`, rules: RULES, tests: TESTS },
  createInvariant: { name: `Invariant ${made}`, when: { field: 'amount', op: 'gt', value: 5 }, at_least: 'REQUIRE_APPROVAL' },
  checkInvariant: { at_least: 'REQUIRE_APPROVAL' },
  updatePolicy: { description: `${made}` },
  activatePolicy: { version_id: 'pvr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', reason },
  suspendPolicy: { reason },
  bindPolicy: { scope: 'AGENT', id: agent.id, reason },
  rollbackPolicy: { target_version_number: 1, reason },
  simulatePolicy: { agentId: agent.id },
  runPolicyTests: {},
  previewPolicyTests: { cases: TESTS },
});
