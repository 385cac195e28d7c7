import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { type Change, keep } from '@svc/postgres/change/change.ts';
import type { CallContext } from './acting.ts';
import { countFailedProof } from './count-failed-proof.ts';

type WrongPasswordRequest = CallContext & {
  readonly session: { readonly organizationId: string; readonly id: string };
  readonly signInId: string | null;
  readonly sourceIp: string;
  /** The number of wrong proofs that end the session. */
  readonly attemptsMax: number;
};

const ENDED = 'The password was wrong too many times, so this session has ended. Sign in again.';

/**
 * Counts a wrong current password in the session, which may end it. The count is that of step-ups: an unauthenticated client cannot use up the
 * attempts of a signed-in user, and a stolen token has no additional ones.
 */
export const refuseWrongPassword = async (
  change: Change<'user.login_failed' | 'user.logged_out'>,
  { actor, now, session, signInId, sourceIp, attemptsMax }: WrongPasswordRequest,
) => {
  const key = { organization_id: session.organizationId, id: session.id };
  const data = { password_change: true, source_ip: sourceIp };
  const hasEnded = await countFailedProof(change, { actor, session: key, signInId, attemptsMax, now, data });
  return keep(buildRefusal('INVALID_CREDENTIALS', hasEnded ? ENDED : undefined));
};
