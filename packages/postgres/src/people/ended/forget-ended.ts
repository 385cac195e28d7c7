import { LIMITS } from '@svc/contract/tables/limits.ts';
import { SETTING_TABLE } from '@svc/contract/tables/settings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

const { enrolmentLifetimeSeconds } = LIMITS.secondFactors;
const { invitationDays, sessionDays, hourSeconds } = LIMITS.forgetting;

const { to: LOCKOUT_SECONDS_MAX } = SETTING_TABLE.LOGIN_LOCKOUT_SECONDS;

type Step = (now: Date, limit: number) => RawBuilder<unknown>;

const before = (now: Date, seconds: number): RawBuilder<unknown> => sql`${new Date(now.getTime() - seconds * 1000)}::timestamptz`;

/** Selects the oldest rows of a table that ended before a moment. No one needs them any more. */
const oldest = (table: string, key: string, ended: string, moment: RawBuilder<unknown>, limit: number): RawBuilder<unknown> =>
  sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (
    select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(ended)} <= ${moment} order by ${sql.ref(ended)} limit ${limit})`;

/**
 * Ended rows of people, in the order of their references. Some are kept longer, so that a late client gets "expired" instead of "not
 * found", or to count earlier requests.
 */
export const FORGOTTEN: Readonly<Record<string, Step>> = {
  sign_ups: (now, limit) => oldest('sign_ups', 'id', 'expires_at', before(now, 0), limit),
  used_passkey_challenges: (now, limit) => oldest('used_passkey_challenges', 'challenge_hash', 'expires_at', before(now, 0), limit),
  sso_attempts: (now, limit) => oldest('sso_attempts', 'state_hash', 'expires_at', before(now, 0), limit),
  password_resets: (now, limit) => oldest('password_resets', 'key', 'expires_at', before(now, hourSeconds), limit),
  /** Failures as old as the longest lockout that can be set, which count no more. */
  sign_in_failures: (now, limit) => oldest('sign_in_failures', 'key', 'first_failed_at', before(now, LOCKOUT_SECONDS_MAX * 2), limit),
  /** A person's decision on it is deleted with it. */
  cli_requests: (now, limit) => oldest('cli_requests', 'id', 'expires_at', before(now, hourSeconds), limit),
  /** With its requests for device approval, and connection data, if it became no session. */
  mfa_challenges: (now, limit) => sql`
    with gone as (
      delete from mfa_challenges where (organization_id, session_id) in (
        select organization_id, session_id from mfa_challenges where expires_at <= ${before(now, 0)} order by expires_at limit ${limit})
      returning organization_id, session_id, used_at)
    delete from sso_sessions x using gone g
     where g.used_at is null and x.organization_id = g.organization_id and x.session_id = g.session_id`,
  second_factors: (now, limit) => sql`
    delete from second_factors where (user_id, id) in (
      select user_id, id from second_factors where confirmed_at is null and created_at <= ${before(now, enrolmentLifetimeSeconds)}
       order by created_at limit ${limit})`,
  invitations: (now, limit) => sql`
    delete from invitations where (organization_id, id) in (
      select organization_id, id from invitations where coalesce(ended_at, expires_at) <= ${before(now, invitationDays * 24 * hourSeconds)}
       order by coalesce(ended_at, expires_at) limit ${limit})`,
  /** All sessions of a sign-in end when the one does from which it was ended, or before. */
  ended_sign_ins: (now, limit) => sql`
    delete from ended_sign_ins where (organization_id, session_id) in (
      select e.organization_id, e.session_id from ended_sign_ins e
        join sessions s on s.organization_id = e.organization_id and s.id = e.session_id
       where s.expires_at <= ${before(now, hourSeconds)} limit ${limit})`,
  sessions: (now, limit) => sql`
    with gone as (
      delete from sessions where (organization_id, id) in (
        select s.organization_id, s.id from sessions s where s.expires_at <= ${before(now, sessionDays * 24 * hourSeconds)}
           and not exists (select from ended_sign_ins e where e.organization_id = s.organization_id and e.session_id = s.id)
           and not exists (select from cli_decisions d where d.organization_id = s.organization_id and d.session_id = s.id)
         order by s.expires_at limit ${limit})
      returning organization_id, id)
    delete from sso_sessions x using gone g where x.organization_id = g.organization_id and x.session_id = g.id`,
};

/** Forgets some of the rows of one of these tables that have ended, in every organization. */
export const forgetEnded = async (identity: Database, table: string, now: Date, limit: number): Promise<void> => {
  await FORGOTTEN[table]?.(now, limit).execute(identity);
};
