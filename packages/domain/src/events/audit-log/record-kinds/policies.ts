import { getNotedKind } from './noted-kind.ts';

/** A policy with its scopes and the list of its versions. */
export const POLICY = getNotedKind({
  type: 'policy',
  table: 'policies',
  permission: 'policy:read',
  columns: {
    name: 'text',
    description: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    suspended_at: 'timestamptz',
    deleted_at: 'timestamptz',
  },
  rows: {
    bindings: {
      table: 'policy_bindings',
      of: ['policy_id'],
      by: ['id'],
      columns: { id: 'text', scope: 'text', target_id: 'text', created_at: 'timestamptz' },
    },
    versions: {
      table: 'policy_versions',
      of: ['policy_id'],
      by: ['id'],
      columns: { id: 'text', version_number: 'bigint', status: 'text' },
    },
  },
});

export const POLICY_VERSION = getNotedKind({
  type: 'policy_version',
  table: 'policy_versions',
  permission: 'policy:read',
  columns: {
    policy_id: 'text',
    version_number: 'bigint',
    status: 'text',
    rules: 'json',
    tests: 'json',
    created_by: 'text',
    created_at: 'timestamptz',
    activated_at: 'timestamptz',
    currency: 'text',
  },
});

export const POLICY_INVARIANT = getNotedKind({
  type: 'policy_invariant',
  table: 'policy_invariants',
  permission: 'policy:read',
  columns: {
    name: 'text',
    description: 'text',
    condition: 'json',
    if_missing: 'text',
    at_least: 'text',
    at_most: 'text',
    currency: 'text',
    workspace_id: 'text',
    environment_id: 'text',
    created_by: 'text',
    created_at: 'timestamptz',
  },
});
