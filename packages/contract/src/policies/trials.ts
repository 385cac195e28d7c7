import { type Static, Type } from 'typebox';
import { Decision } from '../actions/decisions.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { amount, closedObject, currency, enumSchema, id, jsonObject, name, nullable } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { EFFECTS } from '../tables/vocabulary.ts';
import { PolicyReplay } from './replay.ts';
import { versionNumber } from './versions.ts';

export const CaseResult = closedObject({
  name: Type.String(),
  passed: Type.Boolean(),
  expected: closedObject({ effect: enumSchema(EFFECTS), rule: Type.Optional(nullable(Type.String())) }),
  actual: closedObject({ effect: enumSchema(EFFECTS), rule: nullable(Type.String()) }),
  difference: nullable(Type.String({ description: 'Description of the difference.' })),
  trace: Type.Array(jsonObject('Evaluated rule, with a trace per condition.')),
});
const TestReport = closedObject({
  version_id: Type.String(),
  version_number: Type.Integer(),
  passed: Type.Integer(),
  failed: Type.Integer(),
  results: Type.Array(CaseResult),
  untested_rules: Type.Array(Type.String(), { description: 'Ids of the rules that none of these tests reaches.' }),
});
export type TestReport = Static<typeof TestReport>;

const SavedSimulation = closedObject({
  policy_id: Type.String(),
  name: Type.String(),
  decision: Decision,
  request_id: Type.String({ description: 'Finds the event policy.simulated with GET /v1/audit-events?request_id=.' }),
});
export type SavedSimulation = Static<typeof SavedSimulation>;

const change = <S extends Parameters<typeof Type.Array>[0]>(item: S) =>
  closedObject({
    added: Type.Array(item),
    removed: Type.Array(item),
    changed: Type.Array(closedObject({ id: Type.String(), patch: Type.Array(jsonObject('Operation of a JSON Patch (RFC 6902).')) })),
  });
const PolicyDiff = closedObject({
  from: Type.Integer(),
  to: Type.Integer(),
  rules: change(Type.Unknown()),
  tests: change(Type.Unknown()),
  replay: nullable(PolicyReplay),
  replay_note: nullable(Type.String({ description: 'Reason there is no replay; null if there is one.' })),
});

const onPolicy = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'policies' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

const simulated = {
  agentId: Type.Optional(id('Agent that the decision is for.')),
  agent_id: Type.Optional(id('Same as agentId.')),
  tool: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  capability: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  amount: Type.Optional(amount),
  currency: Type.Optional(currency),
  destination: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  parameters: Type.Optional(jsonObject('Arguments of the tool.')),
};
const ONE_AGENT = { additionalProperties: false, anyOf: [{ required: ['agentId'] }, { required: ['agent_id'] }] } as const;

/** Endpoints that try rules before they are saved. They write nothing. */
export const policyTrialEndpoints = {
  diffPolicy: defineEndpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/{policyId}/diff',
      summary: 'Compare two versions and, with action:read, list recorded actions that they decide differently.',
      permissions: ['policy:read'],
      mayNeed: ['action:read'],
    }),
    query: closedObject({
      from: versionNumber,
      to: versionNumber,
      days: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LIMITS.policies.diffReplayDaysMax,
          default: LIMITS.policies.diffReplayDays,
          description: 'Number of days of recorded actions to replay; 0 disables the replay. Requires action:read.',
        }),
      ),
    }),
    result: PolicyDiff,
    writesNothing: 'always',
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  simulatePolicy: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/simulate',
      summary: 'Evaluate a request without side effects.',
      permissions: ['policy:simulate'],
    }),
    body: Type.Object(simulated, ONE_AGENT),
    result: Decision,
    writesNothing: 'always',
    emits: [],
    refuses: [
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'IDENTITY_SERVICE_UNAVAILABLE',
      'POLICY_SERVICE_UNAVAILABLE',
      'APPROVAL_SERVICE_UNAVAILABLE',
    ],
    automation: 'ALLOWED',
  }),
  saveSimulation: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/simulations',
      summary: 'Evaluate a request without executing it, and record the request and its decision in the audit log of the policy.',
      permissions: ['policy:simulate'],
    }),
    body: Type.Object({ ...simulated, name: name('Name of the saved simulation.') }, { ...ONE_AGENT, required: ['name'] }),
    bodyBytesMax: LIMITS.policies.savedSimulationBytesMax,
    result: SavedSimulation,
    status: 201,
    emits: ['policy.simulated'],
    refuses: [
      'NOT_FOUND',
      'PERMISSION_DENIED',
      'VALIDATION_FAILED',
      'IDENTITY_SERVICE_UNAVAILABLE',
      'POLICY_SERVICE_UNAVAILABLE',
      'APPROVAL_SERVICE_UNAVAILABLE',
    ],
    automation: 'ALLOWED',
  }),
  runPolicyTests: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/tests/run',
      summary: 'Run the recorded tests of a version. Has no side effects.',
      permissions: ['policy:simulate'],
    }),
    body: closedObject({ version_id: Type.Optional(id('Id of the version. Defaults to the newest.')) }),
    bodyOptional: true,
    result: TestReport,
    writesNothing: 'always',
    emits: [],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  previewPolicyTests: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/tests/preview',
      summary: 'Run the given tests against a version. Has no side effects.',
      permissions: ['policy:simulate'],
    }),
    body: closedObject({
      version_id: Type.Optional(id('Id of the version. Defaults to the newest.')),
      cases: Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: 50,
        description: 'Given/Then tests. An invalid test returns INVALID_POLICY.',
      }),
    }),
    result: TestReport,
    writesNothing: 'always',
    emits: [],
    refuses: ['NOT_FOUND', 'INVALID_POLICY'],
    automation: 'ALLOWED',
  }),
};
