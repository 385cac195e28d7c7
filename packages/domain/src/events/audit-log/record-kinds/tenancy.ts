import { getNotedKind } from './noted-kind.ts';

export const ORGANIZATION = getNotedKind({
  type: 'organization',
  table: 'organizations',
  permission: 'organization:read',
  organization: 'id',
  columns: {
    name: 'text',
    require_mfa: 'value',
    base_currency: 'text',
    time_zone: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    allowed_networks: 'value',
    deletes_at: 'timestamptz',
    deletion_asked_at: 'timestamptz',
    deletion_asked_by: 'text',
    deletion_reason: 'text',
  },
  added: [{ subscription: 'text' }],
});

export const WORKSPACE = getNotedKind({
  type: 'workspace',
  table: 'workspaces',
  permission: 'workspace:read',
  columns: { name: 'text', slug: 'text', created_at: 'timestamptz', updated_at: 'timestamptz', archived_at: 'timestamptz' },
});

export const ENVIRONMENT = getNotedKind({
  type: 'environment',
  table: 'environments',
  permission: 'environment:read',
  columns: {
    workspace_id: 'text',
    name: 'text',
    type: 'text',
    mode: 'text',
    paused_at: 'timestamptz',
    paused_reason: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    requires_delegation: 'value',
    archived_at: 'timestamptz',
    separation: 'text',
  },
  added: [{ requires_trust: 'value' }],
});

/** A webhook subscription. Not covered: leases, failures, pauses, and the previous secret, which deliveries and jobs change. */
export const WEBHOOK_SUBSCRIPTION = getNotedKind({
  type: 'webhook_subscription',
  table: 'webhook_subscriptions',
  permission: 'webhook:read',
  columns: {
    name: 'text',
    url: 'text',
    event_types: 'value',
    workspace_id: 'text',
    environment_id: 'text',
    body_format: 'text',
    status: 'text',
    disabled_reason: 'text',
    sealed_secret: 'fingerprint',
    vouched_by_type: 'text',
    vouched_by: 'text',
    created_by: 'text',
    created_at: 'timestamptz',
  },
});
