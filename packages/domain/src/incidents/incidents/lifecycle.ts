import type { IncidentStatus } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';

/** Statuses that each operation accepts, and the status after it; null leaves the status as it was. */
const LIFECYCLE = {
  update: { from: ['OPEN', 'CONTAINED', 'RESOLVED'], to: null },
  contain: { from: ['OPEN', 'CONTAINED'], to: 'CONTAINED' },
  resolve: { from: ['OPEN', 'CONTAINED'], to: 'RESOLVED' },
  reopen: { from: ['RESOLVED'], to: 'OPEN' },
  close: { from: ['RESOLVED'], to: 'CLOSED' },
} as const satisfies Record<string, { readonly from: readonly IncidentStatus[]; readonly to: IncidentStatus | null }>;

export type IncidentOperation = keyof typeof LIFECYCLE;

/** The status after an operation; INVALID_STATE_TRANSITION with the statuses that it accepts. */
export const getIncidentTransition = (
  operation: IncidentOperation,
  from: IncidentStatus,
): { readonly to: IncidentStatus } | Refusal<'INVALID_STATE_TRANSITION'> => {
  const row = LIFECYCLE[operation];
  const allowed: readonly IncidentStatus[] = row.from;
  if (allowed.includes(from)) return { to: row.to ?? from };
  const message = `This operation (${operation}) is not allowed for an incident with the status ${from}; the status must be ${allowed.join(' or ')}.`;
  return buildRefusal('INVALID_STATE_TRANSITION', message, { operation, from, allowed_from: allowed });
};
