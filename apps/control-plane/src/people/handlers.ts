import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../deps.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { getSession } from './auth/get-session.ts';
import { listOrganizations } from './auth/list-organizations.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { signup } from './auth/signup.ts';
import { startSignup } from './auth/start-signup.ts';
import { stepUp } from './auth/step-up.ts';
import { switchOrganization } from './auth/switch-organization.ts';
import { verifySignup } from './auth/verify-signup.ts';
import { getOutboxPage } from './mail/get-outbox-page.ts';
import { listRoles } from './roles/list-roles.ts';
import { getSetupPage } from './setup/get-setup-page.ts';

/** One handler per row of this area of the control plane; one that is missing, or of another area, does not compile. */
export const peopleHandlers: AreaHandlers<'control', 'people', ControlDeps> = {
  signup,
  startSignup,
  verifySignup,
  login,
  logout,
  getSession,
  listOrganizations,
  switchOrganization,
  stepUp,
  listRoles,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  getSetupPage,
  getOutboxPage,
};
