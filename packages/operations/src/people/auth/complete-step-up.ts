import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, keep } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type GainedProofs, markSteppedUp } from '@svc/postgres/people/sessions/sessions.ts';
import type { CallContext } from './acting.ts';
import { countFailedProof } from './count-failed-proof.ts';

type CompleteStepUpRequest = CallContext & {
  readonly session: { readonly organization_id: string; readonly id: string };
  readonly signInId: string | null;
  readonly sourceIp: string;
  readonly isRight: boolean;
  /** Uses up the second factor; false if another request used it first. */
  readonly takeFactor: ((tx: TenantTransaction) => Promise<boolean>) | undefined;
  readonly gained: GainedProofs;
  readonly lifetimeSeconds: number;
  /** The number of wrong proofs that end the session. */
  readonly attemptsMax: number;
};

const ENDED = 'The proof was wrong too many times, so this session has ended. Sign in again.';

/** Steps up a session if its proof is right. Otherwise counts the failure, which may end the session. */
export const completeStepUp = async (
  change: Change<'user.step_up_completed' | 'user.login_failed' | 'user.logged_out'>,
  { actor, now, session, signInId, sourceIp, isRight, takeFactor, gained, lifetimeSeconds, attemptsMax }: CompleteStepUpRequest,
) => {
  const { tx, emit } = change;
  const until = new Date(now.getTime() + lifetimeSeconds * 1000);
  // A right proof gets the response of a wrong one if the session ended meanwhile or another request used the factor first.
  const isTaken = isRight && (takeFactor === undefined || (await takeFactor(tx)));
  if (!isTaken || !(await markSteppedUp(tx, session, until, gained))) {
    const data = { step_up: true, source_ip: sourceIp };
    const hasEnded = await countFailedProof(change, { actor, session, signInId, attemptsMax, now, data });
    return keep(buildRefusal('INVALID_CREDENTIALS', hasEnded ? ENDED : undefined));
  }
  const step_up_expires_at = until.toISOString();
  const proofs = [...gained.own, ...gained.vouched];
  emit('user.step_up_completed', { ...about.user(actor), data: { session_id: session.id, step_up_expires_at, proofs } });
  return { step_up_expires_at };
};
