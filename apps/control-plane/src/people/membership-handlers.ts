import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../deps.ts';
import { acceptInvitation } from './invitations/accept-invitation.ts';
import { inviteMember } from './invitations/invite-member.ts';
import { joinOrganization } from './invitations/join-organization.ts';
import { listInvitations } from './invitations/list-invitations.ts';
import { readInvitation } from './invitations/read-invitation.ts';
import { resendInvitation } from './invitations/resend-invitation.ts';
import { withdrawInvitation } from './invitations/withdraw-invitation.ts';
import { getMember } from './members/get-member.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { resetMemberPassword } from './members/reset-member-password.ts';
import { revokeMemberSessions } from './members/revoke-member-sessions.ts';
import { transferOwnership } from './members/transfer-ownership.ts';
import { updateMember } from './members/update-member.ts';
import { createRole } from './roles/create-role.ts';
import { deleteRole } from './roles/delete-role.ts';
import { getRole } from './roles/get-role.ts';
import { listPermissions } from './roles/list-permissions.ts';
import { listRoles } from './roles/list-roles.ts';
import { updateRole } from './roles/update-role.ts';

/** Those of members, invitations and roles. */
export const membershipHandlers = {
  acceptInvitation,
  inviteMember,
  joinOrganization,
  listInvitations,
  readInvitation,
  resendInvitation,
  withdrawInvitation,
  getMember,
  listMembers,
  removeMember,
  resetMemberPassword,
  revokeMemberSessions,
  transferOwnership,
  updateMember,
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRoles,
  updateRole,
} satisfies Partial<AreaHandlers<'control', 'people', ControlDeps>>;
