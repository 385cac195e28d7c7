import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../deps.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { endPreviousSecret } from './api-keys/end-previous-secret.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { rotateApiKey } from './api-keys/rotate-api-key.ts';
import { getSession } from './auth/get-session.ts';
import { listOrganizations } from './auth/list-organizations.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { signup } from './auth/signup.ts';
import { stepUp } from './auth/step-up.ts';
import { switchOrganization } from './auth/switch-organization.ts';
import { resetMemberPassword } from './members/reset-member-password.ts';
import { revokeMemberSessions } from './members/revoke-member-sessions.ts';
import { changePassword } from './passwords/change-password.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { startPasswordReset } from './passwords/start-password-reset.ts';
import { listRoles } from './roles/list-roles.ts';
import { endOtherSessions } from './sessions/end-other-sessions.ts';
import { endSession } from './sessions/end-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { updateProfile } from './sessions/update-profile.ts';
import { getSetupPage } from './setup/get-setup-page.ts';

/** One handler per row of this area of the control plane; one that is missing, or of another area, does not compile. */
export const peopleHandlers: AreaHandlers<'control', 'people', ControlDeps> = {
  signup,
  login,
  logout,
  getSession,
  listOrganizations,
  switchOrganization,
  stepUp,
  changePassword,
  startPasswordReset,
  resetPassword,
  resetMemberPassword,
  listSessions,
  endSession,
  endOtherSessions,
  updateProfile,
  revokeMemberSessions,
  listRoles,
  createApiKey,
  listApiKeys,
  rotateApiKey,
  endPreviousSecret,
  revokeApiKey,
  getSetupPage,
};
