import { checkSignup } from './auth/check-signup.ts';
import { getSession } from './auth/get-session.ts';
import { listOrganizations } from './auth/list-organizations.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { requestStepUp } from './auth/request-step-up.ts';
import { signup } from './auth/signup.ts';
import { startSignup } from './auth/start-signup.ts';
import { stepUp } from './auth/step-up.ts';
import { switchOrganization } from './auth/switch-organization.ts';
import { verifySignup } from './auth/verify-signup.ts';
import { approveCliRequest } from './cli/approve-cli-request.ts';
import { denyCliRequest } from './cli/deny-cli-request.ts';
import { findCliRequest } from './cli/find-cli-request.ts';
import { getCliRequest } from './cli/get-cli-request.ts';
import { redeemCliSignIn } from './cli/redeem-cli-sign-in.ts';
import { startCliSignIn } from './cli/start-cli-sign-in.ts';
import { approveDevice } from './device-approvals/approve-device.ts';
import { denyDevice } from './device-approvals/deny-device.ts';
import { listDeviceApprovals } from './device-approvals/list-device-approvals.ts';
import { delayRefusals, delayResponse } from './even-time/evenly.ts';
import { getOutboxPage } from './mail/get-outbox-page.ts';
import { completeOnboarding } from './onboarding/complete-onboarding.ts';
import { getOnboarding } from './onboarding/get-onboarding.ts';
import { saveOnboardingStep } from './onboarding/save-onboarding-step.ts';
import { getPage } from './pages/get-page.ts';
import { getPageFile } from './pages/get-page-file.ts';
import { changePassword } from './passwords/change-password.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { startPasswordReset } from './passwords/start-password-reset.ts';
import { confirmFactor } from './second-factors/confirm-factor.ts';
import { confirmTotp } from './second-factors/confirm-totp.ts';
import { enrolPasskey } from './second-factors/enrol-passkey.ts';
import { enrolTotp } from './second-factors/enrol-totp.ts';
import { getMfa } from './second-factors/get-mfa.ts';
import { prepareMfa } from './second-factors/prepare-mfa.ts';
import { preparePasskey } from './second-factors/prepare-passkey.ts';
import { regenerateRecoveryCodes } from './second-factors/regenerate-recovery-codes.ts';
import { removeFactor } from './second-factors/remove-factor.ts';
import { resetMemberMfa } from './second-factors/reset-member-mfa.ts';
import { startPasskeySignIn } from './second-factors/start-passkey-sign-in.ts';
import { verifyMfa } from './second-factors/verify-mfa.ts';
import { verifyPasskeySignIn } from './second-factors/verify-passkey-sign-in.ts';
import { approveStepUpRequest } from './sessions/approve-step-up-request.ts';
import { endOtherSessions } from './sessions/end-other-sessions.ts';
import { endSession } from './sessions/end-session.ts';
import { getStepUpRequest } from './sessions/get-step-up-request.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { updateProfile } from './sessions/update-profile.ts';

/** Handlers of sign-up, sign-in and the proofs that people hold. */
export const accessHandlers = {
  signup,
  checkSignup,
  startSignup: delayResponse(startSignup),
  verifySignup: delayRefusals(verifySignup),
  login: delayRefusals(login),
  logout,
  getSession,
  listOrganizations,
  switchOrganization,
  stepUp,
  requestStepUp,
  startCliSignIn,
  redeemCliSignIn,
  getCliRequest,
  findCliRequest,
  approveCliRequest,
  denyCliRequest,
  verifyMfa,
  prepareMfa,
  getMfa,
  enrolTotp,
  confirmTotp,
  preparePasskey,
  enrolPasskey,
  confirmFactor,
  removeFactor,
  regenerateRecoveryCodes,
  startPasskeySignIn,
  verifyPasskeySignIn: delayRefusals(verifyPasskeySignIn),
  resetMemberMfa,
  listDeviceApprovals,
  approveDevice,
  denyDevice,
  changePassword,
  startPasswordReset: delayResponse(startPasswordReset),
  resetPassword: delayRefusals(resetPassword),
  listSessions,
  endSession,
  endOtherSessions,
  getStepUpRequest,
  approveStepUpRequest,
  updateProfile,
  getOutboxPage,
  getOnboarding,
  saveOnboardingStep,
  completeOnboarding,
  getPage,
  getPageFile,
};
