import type { Member } from '@svc/contract/people/members.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Rights } from '@svc/domain/people/auth/effective-rights.ts';
import { beyondGiving } from '@svc/domain/people/members/grant.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type TakenInvitation, takeInvitation } from '@svc/postgres/people/invitations/invitations.ts';
import { findMemberByUser, insertMember, toMemberView } from '@svc/postgres/people/members/members.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { readCurrentPermissions } from '../members/lock-permissions.ts';

export type TakingUp = {
  readonly organizationId: string;
  readonly invitation: { readonly id: string; readonly codeHash: Buffer };
  /** The user with the invited address, which must be proved by now. */
  readonly userId: string;
  /** Id of the new member. */
  readonly memberId: string;
  readonly now: Date;
};

export type AcceptedInvitation = { readonly member: Member; readonly rights: Rights };

const GONE = 'This invitation was used, withdrawn or replaced, or has expired. Ask for a new one.';
const LAPSED = 'The sender of this invitation can no longer grant its role. Ask another member for a new invitation.';

export const refuseEndedInvitation = (): Refusal<'GONE'> => buildRefusal('GONE', GONE);

/** Returns the granted role, if the inviter may still invite and holds all of it now, in that scope. */
const grantedNow = async (
  tx: TenantTransaction,
  organizationId: string,
  { role_id, workspace_ids, invited_by, invited_by_type }: TakenInvitation,
  now: Date,
): Promise<RoleRecord | undefined> => {
  const by = await readCurrentPermissions(tx, organizationId, { type: invited_by_type, id: invited_by }, now);
  const role = await findRole(tx, organizationId, role_id);
  if (!by?.permissions.includes('member:invite') || !role) return undefined;
  return beyondGiving(by, { role, workspace_ids }) === undefined ? role : undefined;
};

/**
 * Makes the invited person a member. An invitation is taken up once, and grants what its role holds now, never more than its sender holds
 * at this moment. Call it in a change of the whole organization.
 */
export const takeUpInvitation = async (
  { tx, emit }: Change<'member.joined'>,
  { organizationId, invitation, userId, memberId, now }: TakingUp,
): Promise<AcceptedInvitation | Refusal<'GONE' | 'CONFLICT'>> => {
  await lockStaff(tx, organizationId);
  const taken = await takeInvitation(tx, organizationId, { ...invitation, now });
  if (!taken) return refuseEndedInvitation();
  const role = await grantedNow(tx, organizationId, taken, now);
  if (!role) return buildRefusal('GONE', LAPSED);
  if (await findMemberByUser(tx, organizationId, userId)) return buildRefusal('CONFLICT', 'You are already a member of this organization.');
  const { workspace_ids } = taken;
  await insertMember(tx, organizationId, { id: memberId, user_id: userId, role_id: role.id, workspace_ids, now });
  const after = { user_id: userId, role_id: role.id, workspace_ids };
  emit('member.joined', {
    ...about.member({ id: memberId }),
    data: { before: null, after, invitation_id: invitation.id, invited_by: taken.invited_by },
  });
  const member = await findMemberByUser(tx, organizationId, userId);
  if (!member) return refuseEndedInvitation();
  return { member: toMemberView(member), rights: { permissions: role.permissions, workspace_ids } };
};
