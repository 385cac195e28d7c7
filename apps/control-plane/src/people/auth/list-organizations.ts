import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { listMemberships } from '@svc/postgres/people/auth/people.ts';
import type { PeopleDeps } from '../deps.ts';

export const listOrganizations: Handler<Endpoints['listOrganizations'], PeopleDeps> = async ({ caller }, { identity }) => {
  const memberships = await listMemberships(identity, caller.actor.id, findOnlyOrganization(caller));
  return memberships.map(({ organization_id, organization_name, role_id, role_name }) => ({
    id: organization_id,
    name: organization_name,
    role: { id: role_id, name: role_name },
    current: organization_id === caller.organizationId,
  }));
};
