import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { takeStanding } from '@svc/operations/people/members/take-standing.ts';
import { giveGroupRoles } from '@svc/operations/people/scim/give-group-roles.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { peopleOfGroups } from '@svc/postgres/people/scim/groups.ts';
import { readScimSettings, setScimRoles } from '@svc/postgres/people/scim/settings.ts';
import type { ControlDeps } from '../../deps.ts';
import { grantFault } from '@svc/operations/people/sso/grant-fault.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { givenByDirectory } from '@svc/operations/people/scim/given-by-directory.ts';
import { takeRoles } from '@svc/operations/people/scim/take-roles.ts';
import { toldConfiguration } from '@svc/operations/people/scim/told-configuration.ts';

/**
 * Whatever is changed, the directory goes on giving all of these roles, and those it gave are taken from people: so whoever changes one of them
 * holds them all, as they were and as they become.
 */
export const updateScimConfiguration: Handler<Endpoints['updateScimConfiguration'], ControlDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change(async (change) => {
    const { tx, emit } = change;
    const { organization_id } = call.scope;
    await lockStaff(tx, organization_id);
    const before = await readScimSettings(tx, organization_id);
    const after = { ...before, ...call.body };
    const acting = { scope: call.scope, actor: call.caller.actor, now: call.now };
    const refused = await grantFault(tx, acting, givenByDirectory(after), givenByDirectory(before));
    if (refused) return refused;
    const by = await takeStanding(tx, acting, ['sso:update']);
    if (isRefusal(by)) return by;
    await setScimRoles(tx, organization_id, after, call.now);
    const told = ({ default_role_id, group_roles }: typeof after) => ({ default_role_id, group_roles });
    emit('scim.configuration_updated', {
      ...about.organization({ id: organization_id }),
      data: { change: 'roles', before: told(before), after: told(after) },
    });
    const names = [...new Set([...before.group_roles, ...after.group_roles].map(({ group }) => group))];
    const ids = await peopleOfGroups(tx, organization_id, names, LIMITS.scim.rolesSetMax);
    const beyond = await giveGroupRoles(change, { organization_id, ids, by, take: takeRoles(deps, organization_id), now: call.now });
    if (beyond) return beyond;
    return toldConfiguration(await readScimSettings(tx, organization_id), deps);
  });
};
