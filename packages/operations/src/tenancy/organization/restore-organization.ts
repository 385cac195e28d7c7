import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { isBeingErased } from '@svc/postgres/tenancy/organization/erase-organization.ts';
import { lockOrganization, updateOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const NOTHING_ASKED = { deletes_at: null, deletion_asked_at: null, deletion_asked_by: null, deletion_reason: null };

/** Cancels the deletion of an organization. Its agents act again from the commit on, unless something else stops them. */
export const restoreOrganization = async (
  { tx, emit }: Change<'organization.updated'>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['restoreOrganization']> },
) => {
  const { scope, now } = request;
  const { organization_id: id } = scope;
  const stored = await lockOrganization(tx, id);
  const { deletes_at } = stored;
  if (deletes_at === null) {
    const details = { operation: 'restore', from: 'ACTIVE', allowed_from: ['DELETING'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The organization is not scheduled for deletion.', details);
  }
  if (await isBeingErased(tx, id)) {
    const details = { operation: 'restore', from: 'DELETED', allowed_from: ['DELETING'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The grace period has ended, and the organization is being removed.', details);
  }
  const organization = await updateOrganization(tx, id, NOTHING_ASKED, now);
  const data = { before: { deletes_at }, after: { deletes_at: null }, reason: request.body.reason ?? null };
  emit('organization.updated', { ...about.organization(stored), severity: 'warning', data });
  return organization;
};
