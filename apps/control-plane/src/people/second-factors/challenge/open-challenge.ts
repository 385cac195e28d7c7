import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { type ChallengeRow, findChallenge } from '@svc/postgres/people/auth/mfa-challenges.ts';

type Asked = { readonly token: string; readonly sourceIp: string };

/** Finds a challenge that was issued to this network, pending or not. */
export const findIssuedChallenge = async (identity: Database, { token, sourceIp }: Asked): Promise<ChallengeRow | undefined> => {
  const challenge = await findChallenge(identity, hashSecret(token));
  return challenge?.source === getAddressGroup(sourceIp) ? challenge : undefined;
};

/** True if the challenge is pending: not used, with tries left, not expired, and no event ended the person's sessions meanwhile. */
export const isOpen = ({ used_at, failures, expires_at, epoch, person_epoch, member_epoch }: ChallengeRow, now: Date): boolean =>
  used_at === null &&
  epoch === person_epoch + member_epoch &&
  failures < LIMITS.secondFactors.challengeAttemptsMax &&
  Date.parse(expires_at) > now.getTime();
