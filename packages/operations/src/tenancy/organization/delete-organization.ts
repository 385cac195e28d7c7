import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockOrganization, updateOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const GRACE_MS = LIMITS.organizationDeletion.graceDays * 86_400_000;

/** Schedules the deletion of an organization. Its agents are refused from the commit on; a job removes it after the grace period. */
export const deleteOrganization = async (
  { tx, emit }: Change<'organization.updated'>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['deleteOrganization']> },
) => {
  const { scope, now, actor } = request;
  const { organization_id: id } = scope;
  const { confirm_name, reason } = request.body;
  const stored = await lockOrganization(tx, id);
  if (stored.deletes_at !== null) {
    const details = { operation: 'delete', from: 'DELETING', allowed_from: ['ACTIVE'], deletes_at: stored.deletes_at };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The organization is already scheduled for deletion.', details);
  }
  if (confirm_name !== stored.name) return refuseBody('/confirm_name', 'Must be exactly the name of the organization.');
  const deletes_at = new Date(now.getTime() + GRACE_MS);
  const asked = { deletes_at, deletion_asked_at: now, deletion_asked_by: actor.id, deletion_reason: reason };
  const organization = await updateOrganization(tx, id, asked, now);
  const data = { before: { deletes_at: null }, after: { deletes_at: organization.deletes_at }, reason };
  emit('organization.updated', { ...about.organization(stored), severity: 'critical', data });
  return organization;
};
