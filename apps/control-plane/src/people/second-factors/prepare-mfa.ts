import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { newAssertionOptions } from '@svc/keyring/factors/passkeys.ts';
import { CHALLENGE_OVER, requestDeviceApproval } from '@svc/operations/people/device-approvals/request-device-approval.ts';
import type { ChallengeRow } from '@svc/postgres/people/auth/mfa-challenges.ts';
import type { DeviceApprovalRow } from '@svc/postgres/people/device-approvals.ts';
import { readPasskeys } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../deps.ts';
import { findIssuedChallenge, isOpen } from './challenge/open-challenge.ts';

type PrepareCall = Call<Endpoints['prepareMfa']>;

const NO_PASSKEY = 'No passkey can be asked for here: take another of the methods of the challenge.';

const getStatus = (
  { decided_at, is_approved, expires_at }: DeviceApprovalRow,
  now: Date,
): 'APPROVED' | 'DENIED' | 'EXPIRED' | 'PENDING' => {
  if (decided_at !== null) return is_approved ? 'APPROVED' : 'DENIED';
  return Date.parse(expires_at) > now.getTime() ? 'PENDING' : 'EXPIRED';
};

const preparePasskey = async (call: PrepareCall, { identity, factors }: PeopleDeps, challenge: ChallengeRow) => {
  const enrolled = await readPasskeys(identity, { userId: challenge.user_id, organizationId: challenge.organization_id });
  const { party, keys } = factors;
  if (enrolled.length === 0 || !party) return call.refuse('CONFLICT', NO_PASSKEY);
  const ceremony = { of: 'second factor', sessionId: challenge.session_id } as const;
  const asking = { key: keys.passkeyChallenges, party, ceremony, now: call.now };
  return { method: 'PASSKEY' as const, public_key: await newAssertionOptions(asking, enrolled) };
};

const prepareDevice = async (call: PrepareCall, challenge: ChallengeRow) => {
  const { now, sourceIp, userAgent } = call;
  const request = { challenge, sourceIp, userAgent, now };
  const row = await call.change((change) => requestDeviceApproval(change, request), undefined, {
    scope: { organization_id: challenge.organization_id },
    actor: { type: 'SYSTEM', id: 'system', name: null },
  });
  if (isRefusal(row)) return row;
  const { id, number, expires_at } = row;
  return { method: 'DEVICE' as const, device_approval: { id, number, status: getStatus(row, now), expires_at } };
};

export const prepareMfa: Handler<Endpoints['prepareMfa'], PeopleDeps> = async (call, deps) => {
  const challenge = await findIssuedChallenge(deps.identity, { token: call.body.mfa_challenge, sourceIp: call.sourceIp });
  if (!challenge || !isOpen(challenge, call.now)) return call.refuse('INVALID_CREDENTIALS', CHALLENGE_OVER);
  return call.body.method === 'PASSKEY' ? preparePasskey(call, deps, challenge) : prepareDevice(call, challenge);
};
