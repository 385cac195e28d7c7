/**
 * Test files that measure time or load, with what they measure. One that fails in parallel with others is repeated alone at the end, since
 * concurrent files may affect the measurement. Other repetitions: never-rerun.ts.
 */
export const MEASURING: Readonly<Record<string, string>> = {
  'apps/control-plane/src/events/audit-events/stream-ends.test.ts': 'how long a stream goes on once its credential has ended',
  'apps/control-plane/src/incidents/emergencies.test.ts':
    'how long emergency stops take while every search, proof and replay is at its limit',
  'apps/control-plane/src/policies/analysis/analyse-aside.test.ts': 'how long an analysis waits behind those of another organization',
  'apps/control-plane/src/policies/replay/replay.test.ts': 'how long others wait during a replay of ten thousand actions',
  'apps/control-plane/src/policies/versions/findings/warnings.test.ts': 'how long others wait while the largest versions are analysed',
  'apps/gateway/src/actions/execution/neighbours.test.ts': 'latency of other tenants and memory of the gateway under large answers',
  'e2e/neighbours/neighbours.test.ts': 'the 99th percentile of the latency of other tenants under load, relative to a quiet system',
  'packages/domain/src/credentials/hide-cost.test.ts': 'CPU milliseconds of masking secrets',
  'packages/domain/src/people/scim/scim.test.ts': 'CPU milliseconds of the largest requests of directories',
  'packages/egress/src/answers/slow-answers.test.ts': 'CPU milliseconds of the decision thread while slow answers are masked',
  'packages/fairness/src/quantum/filled-loop.test.ts': 'the share of a second left to a tenant that fills the event loop',
  'packages/policy/src/cost/decision-work.properties.test.ts': 'milliseconds of processor of one decision',
  'packages/policy/src/judge/evaluation-time.test.ts': 'milliseconds of processor of one decision',
  'packages/policy/src/values/network.test.ts': 'the parsing speed of networks, relative to the library',
};
