import { getNotedKind } from './noted-kind.ts';

/** A tool with the agents that may use it and the numbers of its declarations. */
export const TOOL = getNotedKind({
  type: 'tool',
  table: 'tools',
  permission: 'tool:read',
  columns: {
    workspace_id: 'text',
    environment_id: 'text',
    name: 'text',
    description: 'text',
    required_capability: 'text',
    kind: 'text',
    destination_allowlist: 'value',
    risk_rating: 'text',
    dangerous: 'value',
    parameters_schema: 'json',
    amount_from: 'text',
    currency_from: 'text',
    destination_from: 'text',
    execution: 'json',
    status: 'text',
    disabled_reason: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    declaration_version: 'bigint',
    narrowable: 'value',
  },
  rows: {
    agents: {
      table: 'tool_agents',
      of: ['tool_id'],
      by: ['agent_id'],
      columns: { agent_id: 'text', authorized_by: 'text', authorized_at: 'timestamptz' },
    },
    versions: { table: 'tool_versions', of: ['tool_id'], by: ['version_number'], columns: { version_number: 'bigint' } },
  },
  added: [{ requires_trust: 'value' }, { flow: 'value', declared_at: 'timestamptz' }, { routes: 'value' }],
});

export const TOOL_VERSION = getNotedKind({
  type: 'tool_version',
  table: 'tool_versions',
  permission: 'tool:read',
  key: ['tool_id', 'version_number'],
  columns: { workspace_id: 'text', environment_id: 'text', declaration: 'json', created_at: 'timestamptz', created_by: 'text' },
});

/** The terms of a credential. Not covered: the previous secret and when it ends, which a job clears. */
export const CREDENTIAL = getNotedKind({
  type: 'credential',
  table: 'credentials',
  permission: 'credential:read',
  columns: {
    workspace_id: 'text',
    environment_id: 'text',
    name: 'text',
    description: 'text',
    scheme: 'text',
    placement: 'value',
    destinations: 'value',
    tools: 'value',
    status: 'text',
    revoked_reason: 'text',
    generation: 'bigint',
    sealed_secret: 'fingerprint',
    rotated_at: 'timestamptz',
    created_by: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    oauth: 'value',
  },
  added: [{ extras: 'value' }, { servers: 'value' }],
});
