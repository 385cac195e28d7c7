import type { BulkOperation } from '@svc/contract/agents/fleet/bulk.ts';

/** Permissions of each operation in addition to the row's: the same as for one agent. */
export const BULK_PERMISSIONS = {
  pause: ['agent:pause'],
  resume: ['agent:resume'],
  suspend: ['agent:suspend'],
  revoke: [],
} as const satisfies Record<BulkOperation, readonly string[]>;
