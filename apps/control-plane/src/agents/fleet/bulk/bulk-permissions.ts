import type { BulkOperation } from '@svc/contract/agents/fleet/bulk.ts';

/** What each operation asks for beside the permission of the row: whatever it asks for one agent. */
export const BULK_PERMISSIONS = {
  pause: ['agent:pause'],
  resume: ['agent:resume'],
  suspend: ['agent:suspend'],
  revoke: [],
} as const satisfies Record<BulkOperation, readonly string[]>;
