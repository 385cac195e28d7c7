import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { isOwner } from '@svc/domain/people/roles/role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findWholeMember, toldMember } from '@svc/postgres/people/members/members.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { readScimSettings } from '@svc/postgres/people/scim/settings.ts';
import { type DirectoryUser, insertDirectoryMember, noteProvisioned } from '@svc/postgres/people/scim/users.ts';
import { type ClaimEvent, claimAccount, type Proving } from '../members/claim-account.ts';
import { endMembership } from '../members/remove-member.ts';
import { roleOfGroups } from './give-group-roles.ts';

type Joining = Change<'member.joined' | ClaimEvent>;
type Leaving = Change<'member.removed' | 'apikey.revoked' | 'approval.cancelled'>;
type Who = Pick<DirectoryUser, 'id' | 'user_id' | 'email' | 'made_user' | 'groups'>;
type At = { readonly organization_id: string; readonly now: Date };

const OWNERS = 'An owner is not governed by a directory: hand the ownership on, or change the role, before.';

/**
 * Somebody becomes a member in the role that their groups stand for. An account that nobody has proved is theirs from then on, since the domain
 * of its address is the organization's, and of what somebody else enrolled in it nothing is left.
 */
export const joinByDirectory = async (
  change: Joining,
  { organization_id, now, proving }: At & { readonly proving: Proving },
  who: Who,
): Promise<void> => {
  const { tx, emit } = change;
  await lockStaff(tx, organization_id);
  const settings = await readScimSettings(tx, organization_id);
  const role_id = roleOfGroups(
    who.groups.map(({ display_name }) => display_name),
    settings,
  );
  const { id, user_id, email, made_user } = who;
  await insertDirectoryMember(tx, organization_id, { id, user_id, role_id, provisioned_by: made_user ? 'SCIM' : null }, now);
  if (await claimAccount(change, proving, { id: user_id, email })) await noteProvisioned(tx, organization_id, id);
  emit('member.joined', { ...about.member({ id }), data: { after: { user_id, role_id }, by: 'scim' } });
};

/** Ends a membership with every session and key of it [deprovisioning]; nothing happens where there is none. */
export const leaveByDirectory = async (
  change: Leaving,
  { organization_id, now }: At,
  memberId: string,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  const { tx } = change;
  await lockStaff(tx, organization_id);
  const member = await findWholeMember(tx, organization_id, memberId);
  if (!member) return undefined;
  if (isOwner(member.stored_role)) return refusal('PERMISSION_DENIED', OWNERS);
  await endMembership(change, { scope: { organization_id }, now }, toldMember(member));
  return undefined;
};
