import { getNotedKind } from './noted-kind.ts';

/** A runtime as people set it. Not covered: the state of its connection and its enforcement status, which verification renews. */
export const RUNTIME = getNotedKind({
  type: 'runtime',
  table: 'runtimes',
  permission: 'runtime:read',
  columns: {
    workspace_id: 'text',
    environment_id: 'text',
    agent_id: 'text',
    kind: 'text',
    product: 'text',
    name: 'text',
    base_url: 'text',
    status: 'text',
    fail_closed: 'value',
    admin_access: 'text',
    settings: 'value',
    credential_id: 'text',
    created_by: 'text',
    created_at: 'timestamptz',
  },
});
