import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Policy, PolicyBinding, versionNumber } from './policies.ts';
import { closed, id, reason } from './schema.ts';

const onPolicy = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'policies',
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

const accept_warnings = Type.Optional(
  Type.Boolean({
    description: 'Takes rules into force that do nothing of what they say: on fields no request has, or for people who are not there.',
  }),
);

/** What puts rules in force and takes them out of it. Each needs a person who has just stepped up. */
export const policyForceEndpoints = {
  activatePolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/activate',
      summary: 'Make a version bind; its tests are run at that moment and must pass.',
      permissions: ['policy:activate'],
    }),
    body: closed({ version_id: id('Version to activate.'), reason, accept_warnings }),
    result: Policy,
    emits: ['policy.test_run', 'policy.activated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  rollbackPolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/rollback',
      summary: 'Make the content of an earlier version the new active version.',
      permissions: ['policy:rollback'],
    }),
    body: closed({ target_version_number: versionNumber, reason, accept_warnings }),
    result: Policy,
    emits: ['policy.test_run', 'policy.rolled_back'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  suspendPolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/suspend',
      summary: 'Take the policy out of force; a rollback or an activation brings it back.',
      permissions: ['policy:activate'],
    }),
    body: closed({ reason }),
    result: Policy,
    emergency: true,
    emits: ['policy.suspended'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
  }),
  bindPolicy: endpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/{policyId}/bindings',
      summary: 'Bind the policy to the organization, a workspace, an environment or an agent.',
      permissions: ['policy:activate'],
    }),
    body: closed({ ...PolicyBinding.properties, reason, accept_warnings }),
    result: Policy,
    status: 201,
    emits: ['policy.bound'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_POLICY', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'UNPROCESSABLE'],
  }),
  unbindPolicy: endpoint({
    ...onPolicy({
      method: 'DELETE',
      path: '/v1/policies/{policyId}/bindings/{bindingId}',
      summary: 'Release the policy from one of its bindings.',
      permissions: ['policy:activate'],
    }),
    result: Policy,
    emits: ['policy.unbound'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'UNPROCESSABLE'],
  }),
};
