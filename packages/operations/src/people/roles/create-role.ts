import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countOwnRoles, insertRole } from '@svc/postgres/people/roles.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../auth/acting.ts';
import { BUILT_IN_NAME, findLackRefusal, isBuiltInName, takeEditing } from './take-editing.ts';

const { ownMax } = LIMITS.roles;

export const createRole = async (
  { tx, emit }: Change<'role.created'>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['createRole']> },
) => {
  const { scope, now, body, actor } = request;
  const { organization_id } = scope;
  const by = await takeEditing(tx, { scope, actor: actor, now }, 'role:create');
  if (isRefusal(by)) return by;
  const lacking = findLackRefusal(by, body.permissions);
  if (lacking) return lacking;
  if (isBuiltInName(body.name)) return refuseBody('/name', BUILT_IN_NAME);
  if ((await countOwnRoles(tx, organization_id)) >= ownMax)
    return buildRefusal('UNPROCESSABLE', `An organization has at most ${ownMax} custom roles. Delete an unused one first.`);
  const permissions = PERMISSION_NAMES.filter((name) => body.permissions.includes(name));
  const role = { id: newId('role'), name: body.name.trim(), description: body.description ?? '', permissions };
  await insertRole(tx, organization_id, { ...role, now });
  const { name, description } = role;
  emit('role.created', { ...about.role(role), data: { before: null, after: { name, description, permissions } } });
  return { ...role, built_in: false };
};
