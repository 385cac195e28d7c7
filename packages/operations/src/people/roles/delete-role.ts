import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRoleUses } from '@svc/postgres/people/role-uses.ts';
import { findRole, deleteRole as remove } from '@svc/postgres/people/roles.ts';
import type { CallContext } from '../auth/acting.ts';
import { asRole } from './as-role.ts';
import { BUILT_IN, findLackRefusal, takeEditing } from './take-editing.ts';

const SHOWN_MAX = 20;

const IN_USE =
  'A member, key, invitation, rule, single sign-on connection or group of the directory uses this role: give them another first. The details name them.';

export const deleteRole = async ({ tx, emit }: Change<'role.deleted'>, request: CallContext & { readonly roleId: string }) => {
  const { scope, now, actor } = request;
  const { organization_id } = scope;
  const by = await takeEditing(tx, { scope, actor: actor, now }, 'role:delete');
  if (isRefusal(by)) return by;
  const role = await findRole(tx, organization_id, request.roleId);
  if (!role) return buildRefusal('NOT_FOUND');
  if (role.built_in) return buildRefusal('UNPROCESSABLE', BUILT_IN);
  const lacking = findLackRefusal(by, role.permissions);
  if (lacking) return lacking;
  const uses = await findRoleUses(tx, organization_id, role.id, { now, limit: SHOWN_MAX });
  if (Object.values(uses).some((found) => found.length > 0)) return buildRefusal('CONFLICT', IN_USE, { used_by: uses });
  await remove(tx, organization_id, role.id);
  const { name, description, permissions } = role;
  emit('role.deleted', { ...about.role(role), data: { before: { name, description, permissions }, after: null } });
  return asRole(role);
};
