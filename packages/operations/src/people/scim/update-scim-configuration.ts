import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { peopleOfGroups } from '@svc/postgres/people/scim/groups.ts';
import { readScimSettings, setScimRoles } from '@svc/postgres/people/scim/settings.ts';
import type { RateLimiter } from '@svc/shared-state/rate-limiter.ts';
import type { CallContext } from '../auth/acting.ts';
import { lockCurrentPermissions } from '../members/lock-permissions.ts';
import { findGrantRefusal } from '../sso/grant-fault.ts';
import { listDirectoryRoles } from './directory-roles.ts';
import { formatConfiguration } from './format-configuration.ts';
import { giveGroupRoles } from './give-group-roles.ts';
import { takeRoles } from './take-roles.ts';

type UpdateScimConfigurationRequest = CallContext & { readonly body: EndpointBody<Endpoints['updateScimConfiguration']> };

/**
 * Updates the configuration. The directory keeps giving these roles, and takes away those it gave: so the caller must hold all of them,
 * before and after.
 */
export const updateScimConfiguration = async (
  change: Change<EmittedBy<Endpoints['updateScimConfiguration']>>,
  request: UpdateScimConfigurationRequest,
  deps: { readonly urls: { readonly base: string }; readonly rateLimiter: RateLimiter },
) => {
  const { tx, emit } = change;
  const { organization_id } = request.scope;
  await lockStaff(tx, organization_id);
  const before = await readScimSettings(tx, organization_id);
  const after = { ...before, ...request.body };
  const acting = { scope: request.scope, actor: request.actor, now: request.now };
  const refused = await findGrantRefusal(tx, acting, listDirectoryRoles(after), listDirectoryRoles(before));
  if (refused) return refused;
  const by = await lockCurrentPermissions(tx, acting, ['sso:update']);
  if (isRefusal(by)) return by;
  await setScimRoles(tx, organization_id, after, request.now);
  const told = ({ default_role_id, group_roles }: typeof after) => ({ default_role_id, group_roles });
  emit('scim.configuration_updated', {
    ...about.organization({ id: organization_id }),
    data: { change: 'roles', before: told(before), after: told(after) },
  });
  const names = [...new Set([...before.group_roles, ...after.group_roles].map(({ group }) => group))];
  const ids = await peopleOfGroups(tx, organization_id, names, LIMITS.scim.rolesSetMax);
  const beyond = await giveGroupRoles(change, { organization_id, ids, by, take: takeRoles(deps, organization_id), now: request.now });
  if (beyond) return beyond;
  return formatConfiguration(await readScimSettings(tx, organization_id), deps);
};
