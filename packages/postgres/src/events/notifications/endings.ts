import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const { warnBeforeDays, warningsPerStepMax, warnedLifetimeSecondsMin } = LIMITS.notifications;

/** The last third of a short lifetime, otherwise some days. */
const isNear = (ends: string, begins: string, now: Date) => sql<boolean>`
  ${sql.ref(ends)} > ${now} and ${sql.ref(ends)} <= ${now}::timestamptz + make_interval(days => ${warnBeforeDays})
  and ${sql.ref(ends)} - ${now}::timestamptz <= (${sql.ref(ends)} - ${sql.ref(begins)}) / 3`;

/** Passports that were not renewed in all the renewal time. */
const ENDING_PASSPORTS = (now: Date) => sql`
  from passports p join agents a on a.organization_id = p.organization_id and a.id = p.agent_id
  cross join lateral (select p.agent_id || ' ' || extract(epoch from p.expires_at) as about) x
   where p.end_pending and p.version = a.passport_version and a.status not in ('REVOKED', 'DECOMMISSIONED', 'EXPIRED')
     and (a.expires_at is null or a.expires_at > p.expires_at)
     and ${isNear('p.expires_at', 'p.issued_at', now)}
     and not exists (select from notices n where n.organization_id = p.organization_id and n.kind = 'passport_expiring' and n.about = x.about)`;

/** Agents with an expiry. */
const ENDING_AGENTS = (now: Date) => sql`
  from agents a cross join lateral (select a.id || ' ' || extract(epoch from a.expires_at) as about) x
   where a.expires_at is not null and a.status in ('ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED')
     and a.expires_at - a.created_at >= make_interval(secs => ${warnedLifetimeSecondsMin}) and ${isNear('a.expires_at', 'a.created_at', now)}
     and not exists (select from notices n where n.organization_id = a.organization_id and n.kind = 'agent_expiring' and n.about = x.about)`;

/** Delegations by people, for longer than a day. */
const ENDING_DELEGATIONS = (now: Date) => sql`
  from delegations d cross join lateral (select d.id || ' ' || extract(epoch from d.expires_at) as about) x
   where d.status = 'ACTIVE' and d.delegator_user_id is not null
     and d.expires_at - d.created_at >= make_interval(secs => ${warnedLifetimeSecondsMin}) and ${isNear('d.expires_at', 'd.created_at', now)}
     and not exists (select from notices n where n.organization_id = d.organization_id and n.kind = 'delegation_expiring' and n.about = x.about)`;

const ENDING_KEYS = (now: Date) => sql`
  from api_keys k where k.warned_at is null and k.revoked_at is null and ${isNear('k.expires_at', 'k.created_at', now)}`;

/** Finds organizations with an upcoming expiry without a notice. */
export const findOrganizationsWithEndings = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select k.organization_id ${ENDING_KEYS(now)} union select p.organization_id ${ENDING_PASSPORTS(now)}
     union select d.organization_id ${ENDING_DELEGATIONS(now)} union select a.organization_id ${ENDING_AGENTS(now)}`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};

/** An upcoming expiry, and its scope. */
export type UpcomingExpiry = {
  readonly id: string;
  readonly about: string;
  readonly name: string;
  readonly ends_at: string;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  /** People notified in addition to the owners: those responsible for it. */
  readonly people: readonly string[];
};

/** Marks keys as notified; concurrent callers get different ones. Includes the creators of a key, up to the person. */
export const takeEndingKeys = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<UpcomingExpiry[]> => {
  const { rows } = await sql<UpcomingExpiry>`
    with recursive taken as (
      update api_keys set warned_at = ${now} where organization_id = ${organizationId} and id in (
        select k.id ${ENDING_KEYS(now)} and k.organization_id = ${organizationId} order by k.expires_at limit ${warningsPerStepMax}
           for update skip locked)
      returning id, name, expires_at, workspace_ids, created_by),
    makers as (
      select id, created_by from taken
       union
      select m.id, k.created_by from makers m join api_keys k on k.organization_id = ${organizationId} and k.id = m.created_by)
    select id, id || ' ' || extract(epoch from expires_at) as about, name, expires_at as ends_at,
           case when cardinality(workspace_ids) = 1 then workspace_ids[1] end as workspace_id, null as environment_id,
           array(select m.created_by from makers m where m.id = taken.id) as people
      from taken order by expires_at`.execute(tx);
  return rows;
};

export const listEndingPassports = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<UpcomingExpiry[]> => {
  const { rows } = await sql<UpcomingExpiry>`
    select p.agent_id as id, x.about, a.name, p.expires_at as ends_at, a.workspace_id, a.environment_id, array[]::text[] as people
      ${ENDING_PASSPORTS(now)} and p.organization_id = ${organizationId} order by p.expires_at limit ${warningsPerStepMax}`.execute(tx);
  return rows;
};

export const listEndingAgents = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<UpcomingExpiry[]> => {
  const { rows } = await sql<UpcomingExpiry>`
    select a.id, x.about, a.name, a.expires_at as ends_at, a.workspace_id, a.environment_id, array[]::text[] as people
      ${ENDING_AGENTS(now)} and a.organization_id = ${organizationId} order by a.expires_at limit ${warningsPerStepMax}`.execute(tx);
  return rows;
};

export const listEndingDelegations = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<UpcomingExpiry[]> => {
  const { rows } = await sql<UpcomingExpiry>`
    select e.id, e.about, a.name, e.expires_at as ends_at, a.workspace_id, a.environment_id, array[e.delegator_user_id] as people from (
      select d.id, d.delegate_agent_id, d.delegator_user_id, d.expires_at, x.about
        ${ENDING_DELEGATIONS(now)} and d.organization_id = ${organizationId} order by d.expires_at limit ${warningsPerStepMax}) e
      join agents a on a.organization_id = ${organizationId} and a.id = e.delegate_agent_id`.execute(tx);
  return rows;
};
