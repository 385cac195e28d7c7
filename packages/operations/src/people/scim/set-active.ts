import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { beyondReach } from '@svc/domain/people/members/grant.ts';
import { isOwner } from '@svc/domain/people/roles/role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findWholeMember, toMemberView } from '@svc/postgres/people/members/members.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { readScimSettings } from '@svc/postgres/people/scim/settings.ts';
import { type DirectoryUser, insertDirectoryMember, noteProvisioned } from '@svc/postgres/people/scim/users.ts';
import { type AddressProof, type ClaimEvent, claimAccount } from '../members/claim-account.ts';
import { endMembership } from '../members/remove-member.ts';
import { type Directed, readDirectoryPermissions } from './directory-standing.ts';
import { resolveGroupRole } from './give-group-roles.ts';

type Joining = Change<'member.joined' | ClaimEvent>;
type Leaving = Change<'member.removed' | 'apikey.revoked' | 'approval.cancelled'>;
type Who = Pick<DirectoryUser, 'id' | 'user_id' | 'email' | 'made_user' | 'groups'>;

const OWNERS = 'A directory cannot manage an owner. Transfer the ownership or change the role first.';
const BEYOND =
  'The person has, or would get, more permissions than the creator of the directory token. Ask an owner to create a new token, or change the member here.';

/**
 * Makes a person a member in the mapped role of their groups. An unproved account becomes theirs, since its domain belongs to the
 * organization, and nothing that another person enrolled in it remains. The role is never beyond the token's creator.
 */
export const joinByDirectory = async (
  change: Joining,
  { proving, ...directed }: Directed & { readonly proving: AddressProof },
  who: Who,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  const { tx, emit } = change;
  const { organization_id, now } = directed;
  const by = await readDirectoryPermissions(tx, directed);
  const settings = await readScimSettings(tx, organization_id);
  const role_id = resolveGroupRole(
    who.groups.map(({ display_name }) => display_name),
    settings,
  );
  const role = await findRole(tx, organization_id, role_id);
  if (!role || beyondReach(by, { role, workspace_ids: null })) return buildRefusal('PERMISSION_DENIED', BEYOND);
  const { id, user_id, email, made_user } = who;
  await insertDirectoryMember(tx, organization_id, { id, user_id, role_id, provisioned_by: made_user ? 'SCIM' : null }, now);
  if (await claimAccount(change, proving, { id: user_id, email })) await noteProvisioned(tx, organization_id, id);
  emit('member.joined', { ...about.member({ id }), data: { after: { user_id, role_id }, by: 'scim' } });
  return undefined;
};

/**
 * Ends a membership with every session and key of it (deprovisioning). Does nothing without a membership, or for a person with more than
 * the token's creator.
 */
export const leaveByDirectory = async (
  change: Leaving,
  directed: Directed,
  memberId: string,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  const { tx } = change;
  const { organization_id, now } = directed;
  const by = await readDirectoryPermissions(tx, directed);
  const member = await findWholeMember(tx, organization_id, memberId);
  if (!member) return undefined;
  if (isOwner(member.stored_role)) return buildRefusal('PERMISSION_DENIED', OWNERS);
  if (beyondReach(by, { role: member.stored_role, workspace_ids: member.workspace_ids })) return buildRefusal('PERMISSION_DENIED', BEYOND);
  await endMembership(change, { scope: { organization_id }, now }, toMemberView(member));
  return undefined;
};
