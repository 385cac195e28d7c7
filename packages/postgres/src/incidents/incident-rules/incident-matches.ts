import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type ComparedRule, RULE_EVENT_TYPES } from '@svc/domain/incidents/incident-rules/match-event.ts';
import { sql } from 'kysely';
import type { FeedTransaction } from '../../audit/feed-positions.ts';
import type { FeedInterest } from '../../audit/read-feed.ts';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Events that enabled rules of their organization could match. */
export const isMatchable: FeedInterest = sql<boolean>`e.type = any(${[...RULE_EVENT_TYPES]}::text[]) and exists (
  select from incident_rules r where r.organization_id = e.organization_id and r.enabled)`;

export type RuleOfTenant = ComparedRule & { readonly organization_id: string };

export const readRules = async (tx: FeedTransaction, organizationIds: readonly string[]): Promise<RuleOfTenant[]> => {
  if (organizationIds.length === 0) return [];
  const { rows } = await sql<RuleOfTenant>`
    select organization_id, id, environment_id, condition, score, code, key, count, within_seconds, created_at from incident_rules
     where organization_id = any(${[...organizationIds]}::text[]) and enabled order by organization_id, id
     limit ${LIMITS.incidentRules.matchedMax}`.execute(tx);
  return rows;
};

export type FindingKey = { readonly organization_id: string; readonly rule_id: string; readonly key_value: string };
export type WindowRow = FindingKey & { readonly found_at: readonly string[]; readonly last_at: string };

export const readWindows = async (tx: FeedTransaction, keys: readonly FindingKey[]): Promise<WindowRow[]> => {
  if (keys.length === 0) return [];
  const { rows } = await sql<WindowRow>`
    select w.organization_id, w.rule_id, w.key_value, w.found_at, w.last_at from incident_rule_windows w
      join jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (organization_id text, rule_id text, key_value text)
        on k.organization_id = w.organization_id and k.rule_id = w.rule_id and k.key_value = w.key_value`.execute(tx);
  return rows;
};

export const writeWindows = async (tx: FeedTransaction, windows: readonly WindowRow[]): Promise<void> => {
  if (windows.length === 0) return;
  await sql`
    insert into incident_rule_windows (organization_id, rule_id, key_value, found_at, last_at)
    select organization_id, rule_id, key_value, found_at, last_at
      from jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) as w (organization_id text, rule_id text, key_value text, found_at jsonb,
        last_at timestamptz)
    on conflict (organization_id, rule_id, key_value) do update set found_at = excluded.found_at, last_at = excluded.last_at`.execute(tx);
};

/** Findings of one rule and key that together are taken into an incident. */
export type IncidentMatch = FindingKey & {
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly first_event_id: string;
  readonly last_event_id: string;
  readonly event_type: string;
};

/** Leaves findings for the job that opens incidents. */
export const leaveMatches = async (tx: FeedTransaction, matches: readonly IncidentMatch[]): Promise<void> => {
  if (matches.length === 0) return;
  await sql`
    insert into incident_matches as k (organization_id, rule_id, key_value, count, first_at, last_at, first_event_id, last_event_id, event_type)
    select organization_id, rule_id, key_value, count, first_at, last_at, first_event_id, last_event_id, event_type
      from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) as m (organization_id text, rule_id text, key_value text, count bigint,
        first_at timestamptz, last_at timestamptz, first_event_id text, last_event_id text, event_type text)
    on conflict (organization_id, rule_id, key_value) do update set count = k.count + excluded.count,
      last_at = excluded.last_at, last_event_id = excluded.last_event_id`.execute(tx);
};

export const findOrganizationsWithMatches = async (identity: Database): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`select distinct organization_id from incident_matches`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};

/** Takes findings of an organization, the oldest first. */
export const takeMatches = async (tx: TenantTransaction, organizationId: string, limit: number): Promise<IncidentMatch[]> => {
  const { rows } = await sql<IncidentMatch>`
    delete from incident_matches m using (select rule_id, key_value from incident_matches where organization_id = ${organizationId}
      order by first_at limit ${limit} for update skip locked) t
     where m.organization_id = ${organizationId} and m.rule_id = t.rule_id and m.key_value = t.key_value
    returning m.organization_id, m.rule_id, m.key_value, m.count::int as count, m.first_at, m.last_at, m.first_event_id, m.last_event_id,
              m.event_type`.execute(tx);
  return rows.toSorted((one, other) => one.first_at.localeCompare(other.first_at));
};

/** Forgets windows whose findings are too old to count. */
export const forgetWindows = async (tx: TenantTransaction, organizationId: string, before: Date): Promise<void> => {
  await sql`delete from incident_rule_windows where organization_id = ${organizationId} and last_at < ${before}`.execute(tx);
};
