import { listOwners, type OrganizationOwner } from '@svc/postgres/people/list-owners.ts';
import { findOrganizations } from '@svc/postgres/tenancy/organization/find-organizations.ts';
import type { DatabaseAccess } from '../break-glass/reach-database.ts';
import { LaunchFault } from '../faults/launch-fault.ts';

const getLine = ({ name, email, is_proved, factors, has_password, last_used_at }: OrganizationOwner): string =>
  `  ${name} <${email}>  ${has_password ? 'a password' : 'no password'}, ${factors} second factor${factors === 1 ? '' : 's'}, ${
    last_used_at === null ? 'not signed in' : `last seen ${last_used_at}`
  }${is_proved ? '' : ', address not verified'}`;

/** Lists the owners of every organization, or of those with a name. */
export const listOwnersForOperator = async ({ identity }: DatabaseAccess, organization: string | undefined): Promise<readonly string[]> => {
  const named = organization === undefined ? undefined : await findOrganizations(identity, organization);
  if (named?.length === 0) throw new LaunchFault(`There is no organization with the id or the name "${organization}".`);
  const owners = await listOwners(
    identity,
    named?.map(({ id }) => id),
  );
  if (owners.length === 0) return ['No organization has an owner yet.'];
  const byOrganization = Map.groupBy(owners, ({ organization_id, organization_name }) => `${organization_name} (${organization_id})`);
  return [...byOrganization].flatMap(([of, each]) => [of, ...each.map(getLine)]);
};
