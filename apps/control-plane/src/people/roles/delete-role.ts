import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findRoleUses } from '@svc/postgres/people/role-uses.ts';
import { findRole, deleteRole as remove } from '@svc/postgres/people/roles.ts';
import type { ControlDeps } from '../../deps.ts';
import { asRole } from '@svc/operations/people/roles/as-role.ts';
import { BUILT_IN, lackRefusal, takeEditing } from '@svc/operations/people/roles/take-editing.ts';

const SHOWN_MAX = 20;

const IN_USE =
  'A member, key, invitation, rule, single sign-on connection or group of the directory uses this role: give them another first. The details name them.';

export const deleteRole: Handler<Endpoints['deleteRole'], ControlDeps> = (call) => {
  const { scope, caller, now } = call;
  const { organization_id } = scope;
  return call.change(async ({ tx, emit }) => {
    const by = await takeEditing(tx, { scope, actor: caller.actor, now }, 'role:delete');
    if (isRefusal(by)) return by;
    const role = await findRole(tx, organization_id, call.params.roleId);
    if (!role) return call.refuse('NOT_FOUND');
    if (role.built_in) return call.refuse('UNPROCESSABLE', BUILT_IN);
    const lacking = lackRefusal(by, role.permissions);
    if (lacking) return lacking;
    const uses = await findRoleUses(tx, organization_id, role.id, { now, limit: SHOWN_MAX });
    if (Object.values(uses).some((found) => found.length > 0)) return call.refuse('CONFLICT', IN_USE, { used_by: uses });
    await remove(tx, organization_id, role.id);
    const { name, description, permissions } = role;
    emit('role.deleted', { ...about.role(role), data: { before: { name, description, permissions }, after: null } });
    return asRole(role);
  });
};
