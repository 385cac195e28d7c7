import { getNotedKind } from './noted-kind.ts';

/** A member with the workspaces that they are limited to. Not covered: what ends sessions and sign-ins of the person. */
export const MEMBER = getNotedKind({
  type: 'member',
  table: 'members',
  permission: 'member:read',
  columns: { user_id: 'text', role_id: 'text', created_at: 'timestamptz', is_limited: 'value', provisioned_by: 'text' },
  rows: {
    workspaces: {
      table: 'member_workspaces',
      of: ['member_id'],
      by: ['workspace_id'],
      columns: { workspace_id: 'text', created_at: 'timestamptz' },
    },
  },
});

/** A custom role. Built-in roles are set again at each start. */
export const ROLE = getNotedKind({
  type: 'role',
  table: 'roles',
  permission: 'member:read',
  columns: {
    name: 'text',
    description: 'text',
    permissions: 'value',
    for_keys: 'value',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
});

/** An API key. Not covered: when it was used, when its end was announced. */
export const API_KEY = getNotedKind({
  type: 'api_key',
  table: 'api_keys',
  permission: 'apikey:read',
  columns: {
    name: 'text',
    role_id: 'text',
    token_hash: 'fingerprint',
    created_by: 'text',
    created_at: 'timestamptz',
    expires_at: 'timestamptz',
    revoked_at: 'timestamptz',
    workspace_ids: 'value',
    allowed_networks: 'value',
    previous_token_hash: 'fingerprint',
    previous_ends_at: 'timestamptz',
  },
});

/** A single sign-on connection with its domains. */
export const SSO_CONNECTION = getNotedKind({
  type: 'sso_connection',
  table: 'sso_connections',
  permission: 'sso:read',
  columns: {
    kind: 'text',
    name: 'text',
    status: 'text',
    issuer: 'text',
    client_id: 'text',
    sealed_client_secret: 'fingerprint',
    scopes: 'value',
    jit: 'value',
    default_role_id: 'text',
    role_claim: 'text',
    role_mapping: 'value',
    trusts_mfa: 'value',
    enforce: 'value',
    break_glass_user_id: 'text',
    created_by: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    sso_url: 'text',
    certificates: 'value',
    email_trust: 'text',
  },
  rows: {
    domains: {
      table: 'sso_domains',
      of: ['connection_id'],
      by: ['domain'],
      columns: { domain: 'text', challenge: 'text', verified_at: 'timestamptz', created_at: 'timestamptz' },
    },
  },
});
