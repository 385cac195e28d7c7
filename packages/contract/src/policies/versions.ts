import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, jsonObject, listQuery, nullable, timestamp } from '../rows/schema.ts';
import { VERSION_STATUSES } from '../tables/vocabulary.ts';
import { PolicyWarning } from './warnings.ts';

/** The language itself checks rules and tests, so a fault is INVALID_POLICY with a pointer to it. */
const rule = Type.Unknown({ title: 'PolicyRule' });
const testCase = Type.Unknown({ title: 'PolicyTestCase' });
export const rules = Type.Array(rule, {
  maxItems: 1000,
  description: 'Rules of the version. The builder-schema endpoint describes the language.',
});
export const tests = Type.Array(testCase, { maxItems: 1000, description: 'Given/Then tests of the version.' });

/** Maximum of a PostgreSQL integer. */
export const VERSION_NUMBER_MAX = 2_147_483_647;
export const versionNumber = Type.Integer({ minimum: 1, maximum: VERSION_NUMBER_MAX });

export const PolicyVersion = closedObject({
  version_id: id('Policy version id (pvr_).'),
  version_number: Type.Integer(),
  status: enumSchema(VERSION_STATUSES),
  rules: Type.Array(rule),
  tests: Type.Array(testCase),
  currency: Type.String({ description: 'Currency of its amounts, independent of later changes of the base currency.' }),
  created_at: timestamp,
  created_by: Type.String(),
});
export type PolicyVersion = Static<typeof PolicyVersion>;

/** Findings about a saved version. None of them prevents saving. */
export const VersionFindings = closedObject({
  warnings: Type.Array(PolicyWarning, { description: 'Probable mistakes, in the order of the rules.' }),
  analysis: closedObject({
    complete: Type.Boolean(),
    note: nullable(Type.String({ description: 'Parts that were not checked; null if all were.' })),
  }),
  untested_rules: Type.Array(Type.String(), { description: 'Ids of the rules that no recorded test reaches.' }),
});
export type VersionFindings = Static<typeof VersionFindings>;

export const onPolicy = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'policies' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const policyVersionEndpoints = {
  getBuilderSchema: defineEndpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/builder-schema',
      summary: 'Get the fields, operators and effects of the policy language, for editors.',
      permissions: ['policy:read'],
    }),
    result: Type.Unknown(),
    emits: [],
    refuses: [],
  }),
  getPolicySchema: defineEndpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/schema',
      summary: 'Get the JSON Schema of a version, for text editors.',
      permissions: ['policy:read'],
    }),
    result: jsonObject('A JSON Schema (2020-12).'),
    emits: [],
    refuses: [],
  }),
  listPolicyVersions: defineEndpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/{policyId}/versions',
      summary: 'List the versions of a policy, newest first.',
      permissions: ['policy:read'],
    }),
    query: listQuery,
    result: Type.Array(PolicyVersion),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
