import { LIMITS } from '@svc/contract/tables/limits.ts';
import { RENEWED_STATUSES } from '@svc/domain/agents/agents/passport-renewal.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const { renewBeforeDaysMax, renewBeforePartCount } = LIMITS.passports;

const LONGEST = sql`make_interval(days => ${sql.lit(renewBeforeDaysMax)})`;
/** How long before its expiry a passport `p` is renewed. */
const WINDOW = sql`least(${LONGEST}, (p.expires_at - p.issued_at) / ${sql.lit(renewBeforePartCount)})`;
const IN_FORCE = sql`p.end_pending and p.version = a.passport_version`;
/** A passport that expires with its agent is not renewed: the next would expire no later. */
const OUTLIVED = sql`(a.expires_at is null or a.expires_at > p.expires_at)`;
const OF_ITS_AGENT = sql`a.organization_id = p.organization_id and a.id = p.agent_id`;
const RENEWED = sql`a.status in (${sql.join(RENEWED_STATUSES.map((status) => sql.lit(status)))})`;

/** Finds organizations with an unreported expired passport, or with one that is due for renewal; by the clock of the database. */
export const findOrganizationsWithEndingPassports = async (identity: Database): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct p.organization_id from passports p join agents a on ${OF_ITS_AGENT}
     where p.end_pending and p.expires_at <= now() + ${LONGEST}
       and (p.expires_at <= now() or (${IN_FORCE} and ${RENEWED} and ${OUTLIVED} and p.expires_at - ${WINDOW} <= now()))`.execute(identity);
  return rows.map((row) => row.organization_id);
};

/** Returns true if a passport with automatic renewal is past half of the renewal time: nothing renews it. */
export const isRenewalOverdue = async (identity: Database): Promise<boolean> => {
  const { rows } = await sql<{ overdue: boolean }>`
    select exists (select from passports p join agents a on ${OF_ITS_AGENT}
      where ${IN_FORCE} and ${RENEWED} and ${OUTLIVED} and p.expires_at <= now() + ${LONGEST} and p.expires_at - ${WINDOW} / 2 <= now()) as overdue`.execute(
    identity,
  );
  return rows[0]?.overdue ?? false;
};

/** Locks one agent whose passport is due for renewal; agents that are being changed are skipped. `now` is the database's. */
export const lockAgentToRenew = async (
  tx: TenantTransaction,
  organizationId: string,
): Promise<{ readonly id: string; readonly now: Date } | undefined> => {
  const { rows } = await sql<{ id: string; now: string }>`
    select a.id, now() as now from passports p join agents a on ${OF_ITS_AGENT}
     where p.organization_id = ${organizationId} and ${IN_FORCE} and ${RENEWED} and ${OUTLIVED}
       and p.expires_at > now() and p.expires_at <= now() + ${LONGEST} and p.expires_at - ${WINDOW} <= now()
     order by p.expires_at limit 1 for update of a skip locked`.execute(tx);
  const [due] = rows;
  return due && { id: due.id, now: new Date(due.now) };
};

export type EndedPassport = {
  readonly id: string;
  readonly agent_id: string;
  readonly version: number;
  readonly expires_at: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  /** True if its agent depends on it: a replaced passport, or one of an ended agent, expires without a report. */
  readonly is_told: boolean;
};

/** Records that one passport has expired; undefined if there is none unrecorded. */
export const endOnePassport = async (tx: TenantTransaction, organizationId: string): Promise<EndedPassport | undefined> => {
  const { rows } = await sql<EndedPassport>`
    with ended as (
      select p.id from passports p where p.organization_id = ${organizationId} and p.end_pending and p.expires_at <= now()
       order by p.expires_at limit 1 for update skip locked
    )
    update passports p set end_pending = false from ended e, agents a
     where p.organization_id = ${organizationId} and p.id = e.id and ${OF_ITS_AGENT}
    returning p.id, p.agent_id, p.version, p.expires_at, a.workspace_id, a.environment_id,
              (p.version = a.passport_version and a.status not in ('REVOKED', 'DECOMMISSIONED', 'EXPIRED')
                and ${OUTLIVED}) as is_told`.execute(tx);
  return rows[0];
};
