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
import { stepUp } from './auth/step-up.ts';
import { switchOrganization } from './auth/switch-organization.ts';
import { approveCliRequest } from './cli/approve-cli-request.ts';
import { denyCliRequest } from './cli/deny-cli-request.ts';
import { findCliRequest } from './cli/find-cli-request.ts';
import { getCliRequest } from './cli/get-cli-request.ts';
import { redeemCliSignIn } from './cli/redeem-cli-sign-in.ts';
import { startCliSignIn } from './cli/start-cli-sign-in.ts';
import { getPage } from './pages/get-page.ts';
import { getPageFile } from './pages/get-page-file.ts';
import { listRoles } from './roles/list-roles.ts';
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
  startCliSignIn,
  redeemCliSignIn,
  getCliRequest,
  findCliRequest,
  approveCliRequest,
  denyCliRequest,
  listRoles,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  getSetupPage,
  getPage,
  getPageFile,
};
