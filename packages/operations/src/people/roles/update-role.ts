import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import { mayApprove } from '@svc/domain/actions/approvals/approver-role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { listRoleMembers } from '@svc/postgres/people/role-uses.ts';
import { findRole, updateRole as write } from '@svc/postgres/people/roles.ts';
import type { CallContext } from '../auth/acting.ts';
import { applyPermissionLoss } from '../members/follow-rights.ts';
import { asRole } from './as-role.ts';
import { BUILT_IN, BUILT_IN_NAME, findLackRefusal, isBuiltInName, takeEditing } from './take-editing.ts';

type UpdateRoleRequest = CallContext & { readonly roleId: string; readonly body: EndpointBody<Endpoints['updateRole']> };

const mayDelegate = ({ permissions }: { readonly permissions: readonly string[] }): boolean => permissions.includes('delegation:create');

/**
 * Updates a role. The caller must hold its previous and its new permissions: so no one changes the role of a more privileged user, or one
 * they have lost themselves.
 */
export const updateRole = async (change: Change<EmittedBy<Endpoints['updateRole']>>, request: UpdateRoleRequest) => {
  const { scope, now, body, actor } = request;
  const { organization_id } = scope;
  const by = await takeEditing(change.tx, { scope, actor: actor, now }, 'role:update');
  if (isRefusal(by)) return by;
  const before = await findRole(change.tx, organization_id, request.roleId);
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.built_in) return buildRefusal('UNPROCESSABLE', BUILT_IN);
  const wanted: readonly string[] = body.permissions ?? before.permissions;
  const lacking = findLackRefusal(by, [...new Set([...before.permissions, ...wanted])]);
  if (lacking) return lacking;
  if (body.name !== undefined && isBuiltInName(body.name)) return refuseBody('/name', BUILT_IN_NAME);
  const permissions = PERMISSION_NAMES.filter((each) => wanted.includes(each));
  const { id } = before;
  const after = { ...before, name: body.name?.trim() ?? before.name, description: body.description ?? before.description, permissions };
  const told = ({ name, description, permissions: held }: Omit<typeof before, 'id'>) => ({ name, description, permissions: held });
  if (JSON.stringify(told(before)) === JSON.stringify(told(after))) return asRole(before);
  await write(change.tx, organization_id, { id, ...told(after), permissions, now });
  change.emit('role.updated', { ...about.role(before), data: { before: told(before), after: told(after) } });
  if ((mayApprove(before) && !mayApprove(after)) || mayDelegate(before) !== mayDelegate(after))
    await applyPermissionLoss(change, { scope, userIds: await listRoleMembers(change.tx, organization_id, id), now });
  return asRole(after);
};
