import type { RowsOf } from '../rows/rows-of.ts';
import { auditEventEndpoints } from './audit-events.ts';

export const EVENTS = { ...auditEventEndpoints } as const satisfies RowsOf<'events'>;
