import type { ControlBlastRadius, EmergencyControl, Undo } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findControlTarget, getUndoRequest, type TargetRefusal } from './control-target.ts';
import { countBlastRadius } from './count-blast-radius.ts';

export type Previewed = { readonly blast_radius: ControlBlastRadius; readonly undo: Undo | null };

/** Counts what a control would stop at this moment. Locks and changes nothing. */
export const previewControl = async (
  tx: TenantTransaction,
  control: EmergencyControl,
  request: CallContext & { readonly target: string },
): Promise<Previewed | TargetRefusal> => {
  const target = await findControlTarget(tx, control, { ...request, locks: false });
  if (isRefusal(target)) return target;
  const blast_radius = await countBlastRadius(tx, request.scope.organization_id, control, target, request.now);
  return { blast_radius, undo: getUndoRequest(control, target) };
};
