import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { isBeingErased } from '@svc/postgres/tenancy/organization/erase-organization.ts';
import { lockOrganization, updateOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { ControlDeps } from '../../deps.ts';

const NOTHING_ASKED = { deletes_at: null, deletion_asked_at: null, deletion_asked_by: null, deletion_reason: null };

/** Takes the wish to delete the organization back. Its agents act again from the commit on, where nothing else stops them. */
export const restoreOrganization: Handler<Endpoints['restoreOrganization'], ControlDeps> = (call) => {
  const { scope, now } = call;
  const { organization_id: id } = scope;
  if (scope.workspace_ids) return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, which is more.');
  return call.change(async ({ tx, emit }) => {
    const stored = await lockOrganization(tx, id);
    const { deletes_at } = stored;
    if (deletes_at === null) {
      const details = { operation: 'restore', from: 'ACTIVE', allowed_from: ['DELETING'] };
      return call.refuse('INVALID_STATE_TRANSITION', 'The organization is not scheduled for deletion.', details);
    }
    if (await isBeingErased(tx, id)) {
      const details = { operation: 'restore', from: 'DELETED', allowed_from: ['DELETING'] };
      return call.refuse('INVALID_STATE_TRANSITION', 'The grace period has ended, and the organization is being removed.', details);
    }
    const organization = await updateOrganization(tx, id, NOTHING_ASKED, now);
    const data = { before: { deletes_at }, after: { deletes_at: null }, reason: call.body.reason ?? null };
    emit('organization.updated', { ...about.organization(stored), severity: 'warning', data });
    return organization;
  });
};
