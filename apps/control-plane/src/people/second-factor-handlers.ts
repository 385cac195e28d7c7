import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../deps.ts';
import { approveDevice } from './device-approvals/approve-device.ts';
import { denyDevice } from './device-approvals/deny-device.ts';
import { listDeviceApprovals } from './device-approvals/list-device-approvals.ts';
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

/** Those of second factors, and of the approval of one device by another. */
export const secondFactorHandlers = {
  verifyMfa,
  prepareMfa,
  getMfa,
  enrolTotp,
  confirmTotp,
  preparePasskey,
  enrolPasskey,
  removeFactor,
  regenerateRecoveryCodes,
  startPasskeySignIn,
  verifyPasskeySignIn,
  resetMemberMfa,
  listDeviceApprovals,
  approveDevice,
  denyDevice,
} satisfies Partial<AreaHandlers<'control', 'people', ControlDeps>>;
