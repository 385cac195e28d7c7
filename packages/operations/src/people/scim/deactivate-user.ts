import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type DirectoryUser, findDirectoryUser, keepUnspokenUsers } from '@svc/postgres/people/scim/users.ts';
import type { Directed } from './directory-standing.ts';
import { leaveByDirectory } from './set-active.ts';

type Deactivating = Change<'member.removed' | 'apikey.revoked' | 'approval.cancelled'>;

/** Deactivates a user of the directory and changes nothing else about them. */
export const deactivateUser = async (
  change: Deactivating,
  directed: Directed,
  id: string,
): Promise<DirectoryUser | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { organization_id, now } = directed;
  const find = () => findDirectoryUser(change.tx, organization_id, { by: 'id', value: id });
  const before = await find();
  if (before === undefined) return buildRefusal('NOT_FOUND');
  // Without a row of its own, a user that the directory never named would disappear with the membership.
  if (!before.is_known) await keepUnspokenUsers(change.tx, organization_id, [id], now);
  const refused = before.active ? await leaveByDirectory(change, directed, id) : undefined;
  if (isRefusal(refused)) return refused;
  return (await find()) ?? buildRefusal('NOT_FOUND');
};
