import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { PolicyRule, PolicyTestCase } from './policy-language.ts';
import { PolicyWarning } from './policy-warnings.ts';
import { closed, id, jsonObject, listQuery, longText, name, nullable, oneOf, timestamp } from './schema.ts';
import { POLICY_SCOPES, POLICY_STATUSES, VERSION_STATUSES } from './vocabulary.ts';

/** The language itself checks rules and tests, so that a fault is INVALID_POLICY with a pointer to it. */
const rule = Type.Unknown({ title: 'PolicyRule' });
const testCase = Type.Unknown({ title: 'PolicyTestCase' });
const rules = Type.Array(rule, { maxItems: 1000, description: 'Rules of the version; see builder-schema for the language.' });
const tests = Type.Array(testCase, { maxItems: 1000, description: 'Given/Then cases of the version.' });

/** The base currency of the organization when it is left out. */
const currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 code of the currency that amounts in rules and tests are written in.',
});

/** No store counts further. */
const VERSION_NUMBER_MAX = 2_147_483_647;
export const versionNumber = Type.Integer({ minimum: 1, maximum: VERSION_NUMBER_MAX });

export const PolicyBinding = closed({ scope: oneOf(POLICY_SCOPES), id: Type.String({ minLength: 1, maxLength: 64 }) });
export type PolicyBinding = Static<typeof PolicyBinding>;

export const PolicyVersion = closed({
  version_id: id('Policy version id (pvr_).'),
  version_number: Type.Integer(),
  status: oneOf(VERSION_STATUSES),
  rules: Type.Array(rule),
  tests: Type.Array(testCase),
  currency: Type.String({ description: 'What its amounts are written in, whatever becomes the base currency later.' }),
  created_at: timestamp,
  created_by: Type.String(),
});
export type PolicyVersion = Static<typeof PolicyVersion>;

const policyMembers = {
  id: id('Policy id (pol_).'),
  name: Type.String(),
  description: Type.String(),
  status: oneOf(POLICY_STATUSES, 'DRAFT until a version is in force for the first time; SUSPENDED when it was taken out of force.'),
  bindings: Type.Array(closed({ id: id('Binding id (bnd_).'), scope: oneOf(POLICY_SCOPES), target_id: Type.String() })),
  active_version: nullable(closed({ version_id: Type.String(), version_number: Type.Integer() })),
  versions: Type.Array(PolicyVersion, {
    description: 'The newest ones, newest first, and the active one; all of them are under /versions.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
};
export const Policy = closed(policyMembers);
export type Policy = Static<typeof Policy>;

/** What was found out about the version that was saved. Nothing of it stops the saving. */
export const VersionFindings = closed({
  warnings: Type.Array(PolicyWarning, { description: 'What is likely not meant, in the order of the rules.' }),
  analysis: closed({
    complete: Type.Boolean(),
    note: nullable(Type.String({ description: 'What was not looked at, in words; null when everything was.' })),
  }),
  untested_rules: Type.Array(Type.String(), { description: 'Ids of the rules that no recorded test reaches.' }),
});
export type VersionFindings = Static<typeof VersionFindings>;

export const SavedPolicy = closed({ ...policyMembers, ...VersionFindings.properties });

export const PolicyTemplate = closed({
  id: Type.String({ description: 'What createPolicy takes as `template`.' }),
  name: Type.String(),
  description: Type.String(),
  parameters: Type.Array(
    closed({
      name: Type.String(),
      sentence: Type.String(),
      schema: jsonObject('JSON Schema of the value.'),
      default: Type.Unknown({ description: 'The value that the rules and tests shown here are made with.' }),
      pointers: Type.Array(Type.String(), {
        description: 'RFC 6901 pointers into the template to every place in its rules made of the value.',
      }),
    }),
    { description: 'What people set to their own, with `values` of createPolicy.' },
  ),
  rules: Type.Array(PolicyRule),
  tests: Type.Array(PolicyTestCase),
});

const onPolicy = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'policies',
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const policyEndpoints = {
  listPolicies: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies',
      summary: 'Policies with their versions, newest first.',
      permissions: ['policy:read'],
    }),
    query: listQuery,
    result: Type.Array(Policy),
    emits: [],
    refuses: [],
  }),
  createPolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies',
      summary: 'Create a policy from rules or from a template; its first version is a draft.',
      permissions: ['policy:create'],
    }),
    idempotent: true,
    body: closed({
      name: Type.Optional(name('Name of the policy; unique in the organization. That of the template when left out.')),
      description: Type.Optional(longText('What it is for.')),
      template: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a template, instead of rules and tests.' })),
      values: Type.Optional(
        Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
          maxProperties: 16,
          description: 'Values for parameters of the template, by name; the default for each that is left out.',
        }),
      ),
      rules: Type.Optional(rules),
      tests: Type.Optional(tests),
      currency: Type.Optional(currency),
      binding: Type.Optional(PolicyBinding),
    }),
    example: {
      name: 'Refunds',
      rules: [
        { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lte', value: 50_000 }, reason: 'Refunds up to 500.00 are made.' },
        { id: 'large', effect: 'REQUIRE_APPROVAL', reason: 'A person looks at larger refunds.' },
      ],
      // biome-ignore lint/suspicious/noThenProperty: the word of a recorded case, and never a function
      tests: [{ name: 'a large refund is held', given: { amount: 50_001 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'large' } }],
    },
    result: SavedPolicy,
    status: 201,
    emits: ['policy.created', 'policy.bound'],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED'],
  }),
  getBuilderSchema: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/builder-schema',
      summary: 'Fields, operators and effects for an editor.',
      permissions: ['policy:read'],
    }),
    result: Type.Unknown(),
    emits: [],
    refuses: [],
  }),
  getPolicySchema: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/schema',
      summary: 'JSON Schema of what a version holds, for editors of text.',
      permissions: ['policy:read'],
    }),
    result: jsonObject('A JSON Schema (2020-12).'),
    emits: [],
    refuses: [],
  }),
  listPolicyTemplates: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/templates',
      summary: 'Policies to start from, each with tests that pass.',
      permissions: ['policy:read'],
    }),
    result: Type.Array(PolicyTemplate),
    emits: [],
    refuses: [],
  }),
  getPolicy: endpoint({
    ...onPolicy({ method: 'GET', path: '/v1/policies/{policyId}', summary: 'One policy.', permissions: ['policy:read'] }),
    result: Policy,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  listPolicyVersions: endpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/{policyId}/versions',
      summary: 'Versions of a policy, newest first.',
      permissions: ['policy:read'],
    }),
    query: listQuery,
    result: Type.Array(PolicyVersion),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updatePolicy: endpoint({
    ...onPolicy({ method: 'PATCH', path: '/v1/policies/{policyId}', summary: 'Save a new draft version.', permissions: ['policy:update'] }),
    body: closed({
      name: Type.Optional(name('Name of the policy.')),
      description: Type.Optional(longText('What it is for.')),
      rules: Type.Optional(rules),
      tests: Type.Optional(tests),
      currency: Type.Optional(currency),
      expected_version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: VERSION_NUMBER_MAX,
          description:
            'Number of the newest version the change was made on. When another is the newest by then, nothing is saved (VERSION_CONFLICT).',
        }),
      ),
    }),
    result: SavedPolicy,
    emits: ['policy.updated'],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'PERMISSION_DENIED', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'VERSION_CONFLICT'],
  }),
  deletePolicy: endpoint({
    ...onPolicy({
      method: 'DELETE',
      path: '/v1/policies/{policyId}',
      summary: 'Delete a policy that is not in force; what was decided by it stays explained.',
      permissions: ['policy:delete'],
    }),
    result: closed({ id: Type.String(), name: Type.String(), deleted_at: timestamp }),
    emits: ['policy.deleted'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_STATE_TRANSITION'],
  }),
};
