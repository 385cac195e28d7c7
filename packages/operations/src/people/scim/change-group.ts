import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  ALL_MEMBERS,
  addToGroup,
  type DirectoryGroup,
  findDirectoryGroup,
  knownPeople,
  saveDirectoryGroup,
  takeFromGroup,
} from '@svc/postgres/people/scim/groups.ts';
import { keepUnspokenUsers } from '@svc/postgres/people/scim/users.ts';
import type { TakeRoles } from '../sso/give-mapped-roles.ts';
import { type Directed, readDirectoryPermissions } from './directory-standing.ts';
import { giveGroupRoles } from './give-group-roles.ts';
import { findScimFault } from './scim-fault.ts';

type Changing = Change<'scim.configuration_updated' | 'member.role_changed' | 'approval.cancelled'>;
type At = Directed & { readonly id: string; readonly take: TakeRoles };

export type ScimGroupInput = { readonly display_name: string; readonly external_id: string | null; readonly members: readonly string[] };

/**
 * Registers members that the directory names for the first time; any other id is unknown. One statement for all of them: while it runs, the
 * event feed is blocked for everyone.
 */
const unknownAmong = async (tx: TenantTransaction, { organization_id, now }: At, ids: readonly string[]): Promise<string | undefined> => {
  const known = new Set(await knownPeople(tx, organization_id, ids));
  const unspoken = ids.filter((id) => !known.has(id));
  if (unspoken.length === 0) return undefined;
  const kept = new Set(await keepUnspokenUsers(tx, organization_id, unspoken, now));
  return unspoken.find((id) => !kept.has(id));
};

/** Updates a group to the directory's state, and gives affected people the mapped role. */
export const changeGroup = async (
  change: Changing,
  at: At,
  before: DirectoryGroup | undefined,
  { members, ...said }: ScimGroupInput,
): Promise<DirectoryGroup | Refusal<'VALIDATION_FAILED' | 'NOT_FOUND' | 'RATE_LIMITED'>> => {
  const { tx, emit } = change;
  const { organization_id, id, take, now } = at;
  const there = (before?.members ?? []).map((member) => member.id);
  const [wereThere, are] = [new Set(there), new Set(members)];
  const added = members.filter((member) => !wereThere.has(member));
  const removed = there.filter((member) => !are.has(member));
  const unknown = await unknownAmong(tx, at, added);
  if (unknown !== undefined) return findScimFault('invalidValue', `There is no user ${truncateText(unknown, 64)}.`);
  await saveDirectoryGroup(tx, organization_id, { id, ...said }, now);
  await addToGroup(tx, { organization_id, group_id: id }, added);
  await takeFromGroup(tx, { organization_id, group_id: id }, removed);
  const data = {
    group_id: id,
    before: before && { display_name: before.display_name },
    after: { display_name: said.display_name },
    added,
    removed,
  };
  emit('scim.configuration_updated', {
    ...about.organization({ id: organization_id }),
    data: { change: before ? 'group_changed' : 'group_made', ...data },
  });
  const isRenamed = before !== undefined && before.display_name !== said.display_name;
  const by = await readDirectoryPermissions(tx, at);
  const ids = isRenamed ? [...there, ...added] : [...added, ...removed];
  const refused = await giveGroupRoles(change, { organization_id, ids, by, take, now });
  if (refused) return refused;
  return (await findDirectoryGroup(tx, organization_id, id, ALL_MEMBERS)) ?? buildRefusal('NOT_FOUND');
};
