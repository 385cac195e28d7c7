import type { RowsOf } from '../rows/rows-of.ts';
import { auditEventEndpoints } from './audit-events.ts';
import { auditLogEndpoints } from './audit-log.ts';

export const EVENTS = { ...auditEventEndpoints, ...auditLogEndpoints } as const satisfies RowsOf<'events'>;
