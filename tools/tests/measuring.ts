/**
 * Test files that measure time or load, with what they measure. One that fails in parallel with others is repeated alone at the end, since
 * concurrent files may affect the measurement. Other repetitions: never-rerun.ts.
 */
export const MEASURING: Readonly<Record<string, string>> = {
  'apps/control-plane/src/events/audit-events/stream-ends.test.ts': 'how long a stream goes on once its credential has ended',
  'apps/control-plane/src/incidents/emergencies.test.ts':
    'how long emergency stops take while every search, proof and replay is at its limit',
  'apps/control-plane/src/policies/analysis/analyse-aside.test.ts': 'how long one waits for an analysis behind those of somebody else',
  'apps/control-plane/src/policies/replay/replay.test.ts': 'how long others wait while ten thousand actions are decided anew',
  'apps/control-plane/src/policies/versions/findings/warnings.test.ts': 'how long others wait while the largest versions are analysed',
  'apps/gateway/src/actions/execution/neighbours.test.ts':
    'how long a neighbour waits, and what memory a gateway holds, under large answers',
  'e2e/neighbours/neighbours.test.ts': 'the 99th percentile of what a neighbour waits under load, against the quiet one',
  'packages/domain/src/credentials/hide-cost.test.ts': 'milliseconds of processor that hiding secrets takes',
  'packages/domain/src/people/scim/scim.test.ts': 'milliseconds of processor that the largest requests of directories take',
  'packages/egress/src/answers/slow-answers.test.ts': 'milliseconds of the decision thread while slow answers are masked',
  'packages/fairness/src/quantum/filled-loop.test.ts': 'how much of a second is left to whoever fills the event loop',
  'packages/policy/src/cost/decision-work.properties.test.ts': 'milliseconds of processor of one decision',
  'packages/policy/src/judge/evaluation-time.test.ts': 'milliseconds of processor of one decision',
  'packages/policy/src/values/network.test.ts': 'how fast networks are read, beside the library',
};
