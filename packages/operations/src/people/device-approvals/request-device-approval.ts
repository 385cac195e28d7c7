import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newDeviceNumber } from '@svc/keyring/factors/device-number.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type ChallengeRow, readMethods } from '@svc/postgres/people/auth/mfa-challenges.ts';
import { type DeviceApprovalRow, findDeviceApproval, insertDeviceApproval } from '@svc/postgres/people/device-approvals.ts';
import { newId } from '@svc/program/ids/new-id.ts';

type DeviceApprovalRequest = {
  readonly challenge: Pick<ChallengeRow, 'organization_id' | 'session_id' | 'user_id'>;
  readonly sourceIp: string;
  readonly userAgent: string | null;
  readonly now: Date;
};

export const CHALLENGE_OVER = 'The challenge has expired or belongs to another user. Sign in again to get a new one.';
const NO_DEVICE = 'No device is signed in with a second factor: take another of the methods of the challenge.';

/**
 * Requests an approval by another device of the user, once per challenge. The user is the subject of the event, not the actor: who signs in
 * is not known yet.
 */
export const requestDeviceApproval = async (
  { tx, emit }: Change<'user.mfa_device_approval_requested'>,
  { challenge, sourceIp, userAgent, now }: DeviceApprovalRequest,
): Promise<DeviceApprovalRow | Refusal<'CONFLICT' | 'INVALID_CREDENTIALS'>> => {
  const { organization_id, session_id, user_id } = challenge;
  const methods = await readMethods(tx, organization_id, user_id, now);
  if (!methods.includes('DEVICE')) return buildRefusal('CONFLICT', NO_DEVICE);
  const expires_at = new Date(now.getTime() + LIMITS.secondFactors.deviceApprovalLifetimeSeconds * 1000);
  const approval = { id: newId('device_approval'), number: newDeviceNumber(), source_ip: sourceIp, user_agent: userAgent };
  const inserted = await insertDeviceApproval(tx, { organization_id, session_id, user_id, ...approval, expires_at, now });
  const row = inserted ?? (await findDeviceApproval(tx, organization_id, session_id));
  if (!row) return buildRefusal('INVALID_CREDENTIALS', CHALLENGE_OVER);
  if (inserted) {
    const data = { device_approval_id: row.id, source_ip: sourceIp, user_agent: userAgent };
    emit('user.mfa_device_approval_requested', { ...about.user({ id: user_id }), data });
  }
  return row;
};
