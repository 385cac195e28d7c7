import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { cancelApprovalsOfPlace } from '@svc/operations/tenancy/environments/cancel-approvals-of-place.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { ControlDeps } from '../../deps.ts';

/** Puts an environment out of use: its agents are refused from the commit on, and whatever waits for people in it is withdrawn. */
export const archiveEnvironment: Handler<Endpoints['archiveEnvironment'], ControlDeps> = async (call) => {
  const { params, scope, now } = call;
  const { organization_id: organizationId } = scope;
  const { reason } = call.body;
  const archived = await call.change(async ({ tx, emit }) => {
    const stored = await lockEnvironment(tx, organizationId, params.environmentId);
    if (!stored) return call.refuse('NOT_FOUND');
    if (stored.archived_at !== null) {
      const details = { operation: 'archive', from: 'ARCHIVED', allowed_from: ['ACTIVE'] };
      return call.refuse('INVALID_STATE_TRANSITION', 'The environment is already archived.', details);
    }
    const updated = await updateEnvironment(tx, organizationId, stored.id, { archived_at: now }, now);
    const data = { before: { archived_at: null }, after: { archived_at: updated.archived_at }, reason };
    emit('environment.updated', { ...about.environment(stored), severity: 'critical', data });
    return updated;
  });
  if (isRefusal(archived)) return archived;
  const place = { column: 'environment_id', id: archived.id } as const;
  while (await call.change((change) => cancelApprovalsOfPlace(change, { organizationId, place, reason, now })));
  return archived;
};
