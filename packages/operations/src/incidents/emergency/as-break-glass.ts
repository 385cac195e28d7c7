import type { BreakGlassGrant } from '@svc/contract/incidents/emergency/break-glass.ts';
import { getBreakGlassStatus } from '@svc/domain/incidents/emergency/break-glass.ts';
import type { GrantRow } from '@svc/postgres/incidents/emergency/break-glass.ts';

/** Formats a grant for the API at a time. */
export const asBreakGlass = (row: GrantRow, now: Date): BreakGlassGrant => {
  const { organization_id: _, session_id: __, ended_by: ___, reviewed_at: ____, mode, ...grant } = row;
  return { ...grant, mode: mode as BreakGlassGrant['mode'], status: getBreakGlassStatus(row, now.getTime()) };
};

/** Formats a grant for events. */
export const formatGrantForAudit = ({ organization_id: _, id: __, session_id: ___, ...grant }: GrantRow) => grant;
