import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRole, reportResult } from '@svc/operations/people/roles/as-role.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { countRoleUses } from '@svc/postgres/people/role-uses.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { PeopleDeps } from '../deps.ts';

export const getRole: Handler<Endpoints['getRole'], PeopleDeps> = ({ database, scope, params, now, refuse }) =>
  readInTenant(database, scope, async (tx) => {
    const role = await findRole(tx, scope.organization_id, params.roleId);
    if (!role) return refuse('NOT_FOUND');
    const used_by = await countRoleUses(tx, scope.organization_id, role.id, now);
    return { ...asRole(role), allows: role.permissions.map(reportResult), used_by };
  });
