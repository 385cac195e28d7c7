import { type Static, Type } from 'typebox';
import { Decision } from './decisions.ts';
import { endpoint } from './endpoint.ts';
import { amount, closed, currency, id, jsonObject, listQuery, longText, name, nullable, oneOf, reason, timestamp } from './schema.ts';
import { EFFECTS, POLICY_SCOPES, VERSION_STATUSES } from './vocabulary.ts';

/** The language itself checks rules and tests, so that a fault is INVALID_POLICY with a pointer to it. */
const rules = Type.Array(Type.Unknown(), { maxItems: 1000, description: 'Rules of the version; see builder-schema for the language.' });
const tests = Type.Array(Type.Unknown(), { maxItems: 1000, description: 'Given/Then cases of the version.' });

/** No store counts further. */
const versionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const PolicyBinding = closed({ scope: oneOf(POLICY_SCOPES), id: Type.String({ maxLength: 64 }) });
export type PolicyBinding = Static<typeof PolicyBinding>;

export const PolicyVersion = closed({
  version_id: id('Policy version id (pvr_).'),
  version_number: Type.Integer(),
  status: oneOf(VERSION_STATUSES),
  rules: Type.Array(Type.Unknown()),
  tests: Type.Array(Type.Unknown()),
  created_at: timestamp,
  created_by: Type.String(),
});
export type PolicyVersion = Static<typeof PolicyVersion>;

export const Policy = closed({
  id: id('Policy id (pol_).'),
  name: Type.String(),
  description: Type.String(),
  bindings: Type.Array(closed({ id: id('Binding id (bnd_).'), scope: oneOf(POLICY_SCOPES), target_id: Type.String() })),
  active_version: nullable(closed({ version_id: Type.String(), version_number: Type.Integer() })),
  versions: Type.Array(PolicyVersion, {
    description: 'The newest ones, newest first, and the active one; all of them are under /versions.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Policy = Static<typeof Policy>;

const CaseResult = closed({
  name: Type.String(),
  passed: Type.Boolean(),
  expected: closed({ effect: oneOf(EFFECTS), rule: Type.Optional(nullable(Type.String())) }),
  actual: closed({ effect: oneOf(EFFECTS), rule: nullable(Type.String()) }),
  difference: nullable(Type.String({ description: 'What differed, in words.' })),
  trace: Type.Array(jsonObject('A rule consulted, with a per-condition trace.')),
});
const TestReport = closed({
  version_id: Type.String(),
  version_number: Type.Integer(),
  passed: Type.Integer(),
  failed: Type.Integer(),
  results: Type.Array(CaseResult),
});
export type TestReport = Static<typeof TestReport>;

const change = <S extends Parameters<typeof Type.Array>[0]>(item: S) =>
  closed({
    added: Type.Array(item),
    removed: Type.Array(item),
    changed: Type.Array(closed({ id: Type.String(), patch: Type.Array(jsonObject('One operation of a JSON Patch (RFC 6902).')) })),
  });
export const PolicyDiff = closed({
  from: Type.Integer(),
  to: Type.Integer(),
  rules: change(Type.Unknown()),
  tests: change(Type.Unknown()),
});
export type PolicyDiff = Static<typeof PolicyDiff>;

const onPolicy = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'policies',
  credential: 'caller' as const,
  ...rest,
});

export const policyEndpoints = {
  listPolicies: endpoint({
    ...onPolicy({ method: 'GET', path: '/v1/policies', summary: 'Policies with their versions, newest first.', permission: 'policy:read' }),
    query: listQuery,
    result: Type.Array(Policy),
    emits: [],
    refuses: [],
  }),
  createPolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies',
      summary: 'Create a policy; its first version is a draft.',
      permission: 'policy:create',
    }),
    idempotent: true,
    body: closed({
      name: name('Name of the policy; unique in the organization.'),
      description: Type.Optional(longText('What it is for.')),
      rules,
      tests: Type.Optional(tests),
      binding: Type.Optional(PolicyBinding),
    }),
    result: Policy,
    status: 201,
    emits: ['policy.created', 'policy.bound'],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED'],
  }),
  getBuilderSchema: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/builder-schema',
      summary: 'Fields, operators and effects for an editor.',
      permission: 'policy:read',
    }),
    result: Type.Unknown(),
    emits: [],
    refuses: [],
  }),
  getPolicy: endpoint({
    ...onPolicy({ method: 'GET', path: '/v1/policies/{policyId}', summary: 'One policy.', permission: 'policy:read' }),
    result: Policy,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  listPolicyVersions: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/{policyId}/versions',
      summary: 'Versions of a policy, newest first.',
      permission: 'policy:read',
    }),
    query: listQuery,
    result: Type.Array(PolicyVersion),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updatePolicy: endpoint({
    ...onPolicy({ method: 'PATCH', path: '/v1/policies/{policyId}', summary: 'Save a new draft version.', permission: 'policy:update' }),
    body: closed({
      name: Type.Optional(name('Name of the policy.')),
      description: Type.Optional(longText('What it is for.')),
      rules: Type.Optional(rules),
      tests: Type.Optional(tests),
    }),
    result: Policy,
    emits: ['policy.updated'],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'PERMISSION_DENIED', 'ALREADY_EXISTS', 'VALIDATION_FAILED'],
  }),
  activatePolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/activate',
      summary: 'Make a version bind; its tests are run at that moment and must pass.',
      permission: 'policy:activate',
    }),
    body: closed({ version_id: id('Version to activate.'), reason }),
    result: Policy,
    emits: ['policy.activated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  rollbackPolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/rollback',
      summary: 'Make the content of an earlier version the new active version.',
      permission: 'policy:rollback',
    }),
    body: closed({ target_version_number: versionNumber, reason }),
    result: Policy,
    emits: ['policy.rolled_back'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  diffPolicy: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/{policyId}/diff',
      summary: 'Structured difference of two versions.',
      permission: 'policy:read',
    }),
    query: closed({ from: versionNumber, to: versionNumber }),
    result: PolicyDiff,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  simulatePolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/simulate',
      summary: 'What would be decided; no effect of any kind.',
      permission: 'policy:simulate',
    }),
    body: Type.Object(
      {
        agentId: Type.Optional(id('Agent to decide for.')),
        agent_id: Type.Optional(id('Same as agentId.')),
        tool: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        capability: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        amount: Type.Optional(amount),
        currency: Type.Optional(currency),
        destination: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
        parameters: Type.Optional(jsonObject('Arguments of the tool.')),
      },
      { additionalProperties: false, anyOf: [{ required: ['agentId'] }, { required: ['agent_id'] }] },
    ),
    result: Decision,
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'POLICY_SERVICE_UNAVAILABLE'],
  }),
  runPolicyTests: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/tests/run',
      summary: 'Run the recorded cases of a version; stores nothing.',
      permission: 'policy:simulate',
    }),
    body: closed({ version_id: Type.Optional(id('Version; the newest when left out.')) }),
    bodyOptional: true,
    result: TestReport,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  previewPolicyTests: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/tests/preview',
      summary: 'Run given cases against a version; stores nothing.',
      permission: 'policy:simulate',
    }),
    body: closed({
      version_id: Type.Optional(id('Version; the newest when left out.')),
      cases: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 50, description: 'Given/Then cases; a fault in one is INVALID_POLICY.' }),
    }),
    result: TestReport,
    emits: [],
    refuses: ['NOT_FOUND', 'INVALID_POLICY'],
  }),
};
