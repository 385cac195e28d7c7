import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockOrganization, updateOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { ControlDeps } from '../../deps.ts';

const GRACE_MS = LIMITS.organizationDeletion.graceDays * 86_400_000;

/** Sets the end of the organization. Its agents are refused from the commit on; a job removes it when the time of grace is over. */
export const deleteOrganization: Handler<Endpoints['deleteOrganization'], ControlDeps> = (call) => {
  const { scope, now, caller } = call;
  const { organization_id: id } = scope;
  const { confirm_name, reason } = call.body;
  if (scope.workspace_ids) return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, which is more.');
  return call.change(async ({ tx, emit }) => {
    const stored = await lockOrganization(tx, id);
    if (stored.deletes_at !== null) {
      const details = { operation: 'delete', from: 'DELETING', allowed_from: ['ACTIVE'], deletes_at: stored.deletes_at };
      return call.refuse('INVALID_STATE_TRANSITION', 'The organization is already scheduled for deletion.', details);
    }
    if (confirm_name !== stored.name) return call.fault('/confirm_name', 'Must be exactly the name of the organization.');
    const deletes_at = new Date(now.getTime() + GRACE_MS);
    const asked = { deletes_at, deletion_asked_at: now, deletion_asked_by: caller.actor.id, deletion_reason: reason };
    const organization = await updateOrganization(tx, id, asked, now);
    const data = { before: { deletes_at: null }, after: { deletes_at: organization.deletes_at }, reason };
    emit('organization.updated', { ...about.organization(stored), severity: 'critical', data });
    return organization;
  });
};
