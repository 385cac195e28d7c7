import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { newDeviceNumber } from '@svc/keyring/factors/device-number.ts';
import { newAssertionOptions } from '@svc/keyring/factors/passkeys.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type ChallengeRow, readMethods } from '@svc/postgres/people/auth/mfa-challenges.ts';
import { type DeviceApprovalRow, findDeviceApproval, insertDeviceApproval } from '@svc/postgres/people/device-approvals.ts';
import { readPasskeys } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../deps.ts';
import { findChallengeOf, isOpen } from './challenge/open-challenge.ts';

type PrepareCall = Call<Endpoints['prepareMfa']>;

const OVER = 'The challenge has expired or belongs to another user. Sign in again to get a new one.';
const NO_PASSKEY = 'No passkey can be asked for here: take another of the methods of the challenge.';
const NO_DEVICE = 'No device is signed in with a second factor: take another of the methods of the challenge.';

const statusOf = ({ decided_at, is_approved, expires_at }: DeviceApprovalRow, now: Date): 'APPROVED' | 'DENIED' | 'EXPIRED' | 'PENDING' => {
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

/** Asks once for each challenge. Who signs in is not known yet, so the person is the subject and never the actor. */
const askDevice = (call: PrepareCall, challenge: ChallengeRow) => {
  const { now, sourceIp, userAgent } = call;
  const { organization_id, session_id, user_id } = challenge;
  return call.change(
    async ({ tx, emit }) => {
      const methods = await readMethods(tx, organization_id, user_id, now);
      if (!methods.includes('DEVICE')) return call.refuse('CONFLICT', NO_DEVICE);
      const expires_at = new Date(now.getTime() + LIMITS.secondFactors.deviceApprovalLifetimeSeconds * 1000);
      const asked = { id: call.newId('device_approval'), number: newDeviceNumber(), source_ip: sourceIp, user_agent: userAgent };
      const inserted = await insertDeviceApproval(tx, { organization_id, session_id, user_id, ...asked, expires_at, now });
      const row = inserted ?? (await findDeviceApproval(tx, organization_id, session_id));
      if (!row) return call.refuse('INVALID_CREDENTIALS', OVER);
      if (inserted) {
        const data = { device_approval_id: row.id, source_ip: sourceIp, user_agent: userAgent };
        emit('user.mfa_device_approval_requested', { ...about.user({ id: user_id }), data });
      }
      const { id, number } = row;
      return { method: 'DEVICE' as const, device_approval: { id, number, status: statusOf(row, now), expires_at: row.expires_at } };
    },
    undefined,
    { scope: { organization_id }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );
};

export const prepareMfa: Handler<Endpoints['prepareMfa'], PeopleDeps> = async (call, deps) => {
  const challenge = await findChallengeOf(deps.identity, { token: call.body.mfa_challenge, sourceIp: call.sourceIp });
  if (!challenge || !isOpen(challenge, call.now)) return call.refuse('INVALID_CREDENTIALS', OVER);
  return call.body.method === 'PASSKEY' ? preparePasskey(call, deps, challenge) : askDevice(call, challenge);
};
