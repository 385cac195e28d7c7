import { createApiKey } from './api-keys/create-api-key.ts';
import { endPreviousSecret } from './api-keys/end-previous-secret.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { rotateApiKey } from './api-keys/rotate-api-key.ts';
import { delayRefusals } from './even-time/evenly.ts';
import { acceptInvitation } from './invitations/accept-invitation.ts';
import { confirmInvitation } from './invitations/confirm-invitation.ts';
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

/** Handlers of memberships, their permissions, and the keys that members create. */
export const membershipHandlers = {
  resetMemberPassword,
  revokeMemberSessions,
  listRoles,
  listPermissions,
  getRole,
  createRole,
  updateRole,
  deleteRole,
  listMembers,
  getMember,
  updateMember,
  removeMember,
  transferOwnership,
  listInvitations,
  confirmInvitation,
  inviteMember,
  resendInvitation,
  withdrawInvitation,
  readInvitation,
  acceptInvitation: delayRefusals(acceptInvitation),
  joinOrganization,
  createApiKey,
  listApiKeys,
  rotateApiKey,
  endPreviousSecret,
  revokeApiKey,
};
