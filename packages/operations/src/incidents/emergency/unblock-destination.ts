import type { BlockedDestination } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type BlockedRow, deleteBlock, takeBlockTurn } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const WHOLE = 'A block holds in the whole organization, so only a caller of the whole organization lifts it.';

/** Formats a block for the API. */
export const asBlockedDestination = (row: BlockedRow): BlockedDestination => {
  const { id, pattern, reason, incident_id, created_by, created_at, expires_at } = row;
  return { id, destination: pattern, reason, incident_id, created_by, created_at, expires_at };
};

/** Lifts a block. */
export const unblockDestination = async (
  { tx, emit }: Change<'security.emergency_action_executed'>,
  request: CallContext & { readonly blockId: string; readonly reason: string },
): Promise<BlockedDestination | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { scope, blockId, reason } = request;
  if (reachesBeyond(scope, 'ORGANIZATION')) return buildRefusal('PERMISSION_DENIED', WHOLE);
  await takeBlockTurn(tx, scope.organization_id);
  const row = await deleteBlock(tx, scope.organization_id, blockId);
  if (!row) return buildRefusal('NOT_FOUND');
  const target = { type: 'destination', id: row.pattern, name: row.pattern };
  const data = { control: 'block-destination', operation: 'unblock', target, reason, before: { reason: row.reason } };
  emit('security.emergency_action_executed', { ...about.blocked_destination({ id: blockId }), data });
  return asBlockedDestination(row);
};
