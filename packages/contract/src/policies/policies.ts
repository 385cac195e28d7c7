import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, listQuery, name, nullable, reason, timestamp, visibleText } from '../rows/schema.ts';
import { POLICY_SCOPES, POLICY_STATUSES } from '../tables/vocabulary.ts';
import { onPolicy, PolicyVersion, rules, tests, VERSION_NUMBER_MAX, VersionFindings, versionNumber } from './versions.ts';
import { PolicyWarning } from './warnings.ts';

/** Defaults to the base currency of the organization. */
export const policyCurrency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 code of the currency of amounts in rules and tests.',
});

export const PolicyBinding = closedObject({ scope: enumSchema(POLICY_SCOPES), id: Type.String({ minLength: 1, maxLength: 64 }) });
export type PolicyBinding = Static<typeof PolicyBinding>;

const policyMembers = {
  id: id('Policy id (pol_).'),
  name: Type.String(),
  description: Type.String(),
  status: enumSchema(POLICY_STATUSES, 'DRAFT until a version is activated for the first time; SUSPENDED if the policy was suspended.'),
  bindings: Type.Array(closedObject({ id: id('Binding id (bnd_).'), scope: enumSchema(POLICY_SCOPES), target_id: Type.String() })),
  active_version: nullable(closedObject({ version_id: Type.String(), version_number: Type.Integer() })),
  versions: Type.Array(PolicyVersion, {
    description: 'Newest versions, newest first, and the active version. All versions are at /versions.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
};
export const Policy = closedObject(policyMembers);
export type Policy = Static<typeof Policy>;

export const SavedPolicy = closedObject({ ...policyMembers, ...VersionFindings.properties });

const changeFindings = {
  warnings: Type.Array(PolicyWarning, { description: 'Requests that were refused or held before and that the change permits.' }),
  analysis: VersionFindings.properties.analysis,
};
/** A policy after a change of what is in force, with what the change permits. */
export const ChangedPolicy = closedObject({ ...policyMembers, ...changeFindings });

const accept_openings = Type.Optional(
  Type.Boolean({
    description: 'Make the change even if it permits requests that were refused or held before, or if that could not be decided.',
  }),
);
const dry_run = Type.Optional(
  Type.Boolean({ description: 'Return the requests that the change would permit, without changing anything.' }),
);

const accept_warnings = Type.Optional(
  Type.Boolean({
    description:
      'Activate rules that have no effect because they refer to fields that no request has, or to people who do not exist. Also required for a rollback that permits requests that were refused or held before.',
  }),
);

export const policyEndpoints = {
  listPolicies: defineEndpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies',
      summary: 'List policies with their versions, newest first.',
      permissions: ['policy:read'],
    }),
    query: listQuery,
    result: Type.Array(Policy),
    emits: [],
    refuses: [],
  }),
  createPolicy: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies',
      summary: 'Create a policy from rules or from a template. Its first version is a draft.',
      permissions: ['policy:create'],
    }),
    idempotent: true,
    body: closedObject({
      name: Type.Optional(name('Name of the policy; unique in the organization. Defaults to the name of the template.')),
      description: Type.Optional(visibleText('Purpose of the policy.')),
      template: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a template, instead of rules and tests.' })),
      values: Type.Optional(
        Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
          maxProperties: 16,
          description: 'Values of template parameters, by name. Omitted parameters have their default.',
        }),
      ),
      rules: Type.Optional(rules),
      tests: Type.Optional(tests),
      currency: Type.Optional(policyCurrency),
      binding: Type.Optional(PolicyBinding),
    }),
    example: {
      name: 'Refunds',
      rules: [
        {
          id: 'small',
          effect: 'ALLOW',
          when: { field: 'amount', op: 'lte', value: 50_000 },
          reason: 'Refunds up to 500.00 are permitted.',
        },
        { id: 'large', effect: 'REQUIRE_APPROVAL', reason: 'A person reviews larger refunds.' },
      ],
      tests: [{ name: 'a large refund is held', given: { amount: 50_001 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'large' } }],
    },
    result: SavedPolicy,
    status: 201,
    emits: ['policy.created', 'policy.bound'],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED'],
    automation: 'ALLOWED',
  }),
  getPolicy: defineEndpoint({
    ...onPolicy({ method: 'GET', path: '/v1/policies/{policyId}', summary: 'One policy.', permissions: ['policy:read'] }),
    result: Policy,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updatePolicy: defineEndpoint({
    ...onPolicy({ method: 'PATCH', path: '/v1/policies/{policyId}', summary: 'Save a new draft version.', permissions: ['policy:update'] }),
    keepsWhole: true,
    body: closedObject({
      name: Type.Optional(name('Name of the policy.')),
      description: Type.Optional(visibleText('Purpose of the policy.')),
      rules: Type.Optional(rules),
      tests: Type.Optional(tests),
      currency: Type.Optional(policyCurrency),
      expected_version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: VERSION_NUMBER_MAX,
          description:
            'Number of the newest version, which the change is based on. If there is a newer version, nothing is saved (VERSION_CONFLICT).',
        }),
      ),
    }),
    result: SavedPolicy,
    emits: ['policy.updated'],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'PERMISSION_DENIED', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'VERSION_CONFLICT'],
    automation: 'ALLOWED',
  }),
  deletePolicy: defineEndpoint({
    ...onPolicy({
      method: 'DELETE',
      path: '/v1/policies/{policyId}',
      summary: 'Delete an inactive policy. Explanations of earlier decisions are kept.',
      permissions: ['policy:delete'],
    }),
    result: closedObject({ id: Type.String(), name: Type.String(), deleted_at: timestamp }),
    emits: ['policy.deleted'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  activatePolicy: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/activate',
      summary: 'Activate a version. Its tests run again and must pass.',
      permissions: ['policy:activate'],
    }),
    body: closedObject({ version_id: id('Version to activate.'), reason, accept_warnings }),
    result: Policy,
    emits: ['policy.test_run', 'policy.validated', 'policy.activated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  rollbackPolicy: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/rollback',
      summary: 'Activate the content of an earlier version as a new version.',
      permissions: ['policy:rollback'],
    }),
    keepsWhole: true,
    body: closedObject({ target_version_number: versionNumber, reason, accept_warnings, dry_run }),
    result: ChangedPolicy,
    emits: ['policy.test_run', 'policy.validated', 'policy.rolled_back'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  suspendPolicy: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/suspend',
      summary: 'Suspend a policy. A rollback or an activation makes it active again.',
      permissions: ['policy:activate'],
    }),
    budget: 'emergency',
    body: closedObject({ reason, accept_warnings: accept_openings, dry_run }),
    result: ChangedPolicy,
    emergency: true,
    emits: ['policy.suspended'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  bindPolicy: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/bindings',
      summary: 'Bind the policy to the organization, a workspace, an environment or an agent.',
      permissions: ['policy:activate'],
    }),
    body: closedObject({ ...PolicyBinding.properties, reason, accept_warnings }),
    result: Policy,
    status: 201,
    emits: ['policy.bound'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'UNPROCESSABLE'],
  }),
  unbindPolicy: defineEndpoint({
    ...onPolicy({
      method: 'DELETE',
      path: '/v1/policies/{policyId}/bindings/{bindingId}',
      summary: 'Unbind the policy from one of its scopes.',
      permissions: ['policy:activate'],
    }),
    query: closedObject({ accept_warnings: accept_openings, dry_run }),
    result: ChangedPolicy,
    emits: ['policy.unbound'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'UNPROCESSABLE'],
  }),
};
