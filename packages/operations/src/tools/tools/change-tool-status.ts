import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import type { EventActor } from '@svc/postgres/audit/emitted-event.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findTool, lockTool, setToolStatus } from '@svc/postgres/tools/tools.ts';
import { recordStops } from '../../agents/stops-by-people.ts';

type StatusChange = { readonly to: Tool['status']; readonly reason: string; readonly by: EventActor; readonly now: Date };

type Changed = { readonly before: Tool; readonly tool: Tool; readonly workspace_id: string };

/** Enables or disables a tool; repeating it is no transition. */
export const changeToolStatus = async (
  tx: TenantTransaction,
  organizationId: string,
  toolId: string,
  { to, reason, by, now }: StatusChange,
): Promise<Changed | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const locked = await lockTool(tx, organizationId, toolId);
  const before = locked && (await findTool(tx, organizationId, toolId));
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.status === to) {
    const operation = to === 'DISABLED' ? 'disable' : 'enable';
    const allowed = to === 'DISABLED' ? 'ACTIVE' : 'DISABLED';
    return buildRefusal('INVALID_STATE_TRANSITION', undefined, { operation, from: before.status, allowed_from: [allowed] });
  }
  if (to === 'DISABLED') await recordStops(tx, organizationId, [{ subject_id: toolId, stop: 'STATUS' }], { by, now });
  await setToolStatus(tx, organizationId, toolId, { status: to, disabled_reason: to === 'DISABLED' ? reason : null, now });
  const tool = await findTool(tx, organizationId, toolId);
  return tool ? { before, tool, workspace_id: locked.workspace_id } : buildRefusal('NOT_FOUND');
};
