import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { countOwnRoles, insertRole } from '@svc/postgres/people/roles.ts';
import type { ControlDeps } from '../../deps.ts';
import { BUILT_IN_NAME, isBuiltInName, lackRefusal, takeEditing } from '@svc/operations/people/roles/take-editing.ts';

const { ownMax } = LIMITS.roles;

export const createRole: Handler<Endpoints['createRole'], ControlDeps> = (call) => {
  const { body, scope, caller, now } = call;
  const { organization_id } = scope;
  return call.change(
    async ({ tx, emit }) => {
      const by = await takeEditing(tx, { scope, actor: caller.actor, now }, 'role:create');
      if (isRefusal(by)) return by;
      const lacking = lackRefusal(by, body.permissions);
      if (lacking) return lacking;
      if (isBuiltInName(body.name)) return call.fault('/name', BUILT_IN_NAME);
      if ((await countOwnRoles(tx, organization_id)) >= ownMax)
        return call.refuse('UNPROCESSABLE', `An organization has at most ${ownMax} custom roles. Delete an unused one first.`);
      const permissions = PERMISSION_NAMES.filter((name) => body.permissions.includes(name));
      const role = { id: call.newId('role'), name: body.name.trim(), description: body.description ?? '', permissions };
      await insertRole(tx, organization_id, { ...role, now });
      const { name, description } = role;
      emit('role.created', { ...about.role(role), data: { before: null, after: { name, description, permissions } } });
      return { ...role, built_in: false };
    },
    { roles_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A role of this name exists already.') },
  );
};
