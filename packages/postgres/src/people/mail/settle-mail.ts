import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { ClaimedMail } from './claim-mail.ts';

type Attempt = Pick<ClaimedMail, 'organization_id' | 'id' | 'attempts'>;

const ofAttempt = ({ organization_id, id, attempts }: Attempt) =>
  sql`organization_id = ${organization_id} and id = ${id} and attempts = ${attempts} and state = 'WAITING'`;

/** The mail server accepted it. Its content is deleted, unless it is to be read here. */
export const settleSent = async (identity: Database, attempt: Attempt, now: Date, isKept: boolean): Promise<void> => {
  await sql`
    update mails set state = 'SENT', ended_at = ${now}, failure = null, sealed = case when ${isKept} then sealed end
     where ${ofAttempt(attempt)}`.execute(identity);
};

export type FailedMail = { readonly failure: string; readonly isFinal: boolean; readonly now: Date };

/** Retries it later with backoff, up to a maximum number of attempts. */
export const settleFailed = async (identity: Database, attempt: Attempt, { failure, isFinal, now }: FailedMail): Promise<void> => {
  const { attemptsMax, retrySeconds, retrySecondsMax } = LIMITS.mail;
  if (isFinal || attempt.attempts >= attemptsMax) {
    await sql`
      update mails set state = 'GIVEN_UP', ended_at = ${now}, failure = ${failure}, sealed = null where ${ofAttempt(attempt)}`.execute(
      identity,
    );
    return;
  }
  const waitSeconds = Math.min(retrySecondsMax, retrySeconds * 2 ** (attempt.attempts - 1));
  await sql`
    update mails set failure = ${failure}, due_at = ${now}::timestamptz + make_interval(secs => ${waitSeconds})
     where ${ofAttempt(attempt)}`.execute(identity);
};

/** Gives up mails that are too old, and deletes those that ended long ago; a bounded number of each. Returns how many were given up. */
export const sweepMails = async (identity: Database, now: Date): Promise<number> => {
  const { sweepBatchMax, keptSeconds } = LIMITS.mail;
  const { rows } = await sql`
    update mails set state = 'GIVEN_UP', ended_at = ${now}, failure = coalesce(failure, 'too late'), sealed = null where id in (
      select id from mails where state = 'WAITING' and expires_at <= ${now} and due_at <= ${now}
       order by due_at limit ${sweepBatchMax} for update skip locked)
    returning 1`.execute(identity);
  await sql`
    delete from mails where id in (
      select id from mails where ended_at <= ${now}::timestamptz - make_interval(secs => ${keptSeconds})
       order by ended_at limit ${sweepBatchMax} for update skip locked)`.execute(identity);
  return rows.length;
};
