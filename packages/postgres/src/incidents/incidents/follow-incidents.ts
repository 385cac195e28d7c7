import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { FeedTransaction } from '../../audit/feed-positions.ts';
import type { FeedInterest } from '../../audit/read-feed.ts';

const { entriesMax, lookBackMax, lookBackSeconds } = LIMITS.incidents;

/** Events of organizations that have incidents which are not closed. */
export const isFollowed: FeedInterest = sql<boolean>`exists (select from incident_subjects i where i.organization_id = e.organization_id)`;

const isFolded = ({ type }: AuditEvent): boolean => type.startsWith('action.');

const getText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Repeated decisions of one kind, tool and code are one entry. */
const getFoldKey = (event: AuditEvent): string =>
  isFolded(event) ? `${event.type} ${getText(event.data.tool)} ${getText(event.data.code)}` : event.id;

/** Notes and steps are entries already. */
const isOwnEntry = ({ type, data }: AuditEvent): boolean =>
  (type === 'incident.updated' && data.change === 'note_added') || type === 'incident.contained' || typeof data.incident_id === 'string';

const shown = (event: AuditEvent): Record<string, unknown> => {
  const { type, severity, actor, subject, data } = event;
  const { agent_id, tool, code, reason } = data;
  return { type, severity, by: actor.id, subject: `${subject.type} ${subject.id}`, agent_id, tool, code, reason };
};

const getRow = (event: AuditEvent) => ({
  organization_id: event.organization_id,
  id: `ine_${event.id.slice(event.id.indexOf('_') + 1)}`,
  event_id: event.id,
  fold_key: getFoldKey(event),
  at: event.occurred_at,
  ids: [event.subject.id, event.environment_id, event.data.agent_id, `${event.environment_id} ${getText(event.data.tool)}`].filter(
    (id) => typeof id === 'string',
  ),
  data: shown(event),
});

/** Adds events to the timelines of the incidents whose subjects they are about. A timeline that is full only counts on. */
export const followIncidents = async (tx: FeedTransaction, events: readonly AuditEvent[]): Promise<void> => {
  const rows = events.filter((event) => !isOwnEntry(event)).map(getRow);
  if (rows.length === 0) return;
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (organization_id text, id text, event_id text, fold_key text,
        at timestamptz, ids text[], data jsonb)),
    found as (
      select distinct on (s.organization_id, s.incident_id, g.fold_key) g.*, s.incident_id,
             count(*) over (partition by s.organization_id, s.incident_id, g.fold_key) as n,
             max(g.at) over (partition by s.organization_id, s.incident_id, g.fold_key) as newest
        from given g join (select distinct i.organization_id, i.incident_id, x.event_id from given x
                             join incident_subjects i on i.organization_id = x.organization_id and i.subject_id = any (x.ids)) s
          on s.organization_id = g.organization_id and s.event_id = g.event_id
       order by s.organization_id, s.incident_id, g.fold_key, g.at, g.id)
    insert into incident_entries (organization_id, workspace_id, environment_id, incident_id, id, at, kind, fold_key, event_id, count, last_at, data)
    select f.organization_id, i.workspace_id, i.environment_id, f.incident_id, f.id, f.at, 'EVENT', f.fold_key, f.event_id, f.n, f.newest, f.data
      from found f join incidents i on i.organization_id = f.organization_id and i.id = f.incident_id
     where exists (select from incident_entries k where k.organization_id = f.organization_id and k.incident_id = f.incident_id
                      and k.fold_key = f.fold_key)
        or (select count(*) from incident_entries k where k.organization_id = f.organization_id and k.incident_id = f.incident_id) < ${entriesMax}
    on conflict (organization_id, incident_id, fold_key) where fold_key is not null do update
       set count = incident_entries.count + case when excluded.data ->> 'type' like 'action.%' then excluded.count else 0 end,
           last_at = greatest(incident_entries.last_at, excluded.last_at)`.execute(tx);
};

/** Adds events about the subjects from before an incident was opened. */
export const lookBack = async (tx: FeedTransaction, organizationId: string, incidentId: string): Promise<void> => {
  await sql`
    insert into incident_entries (organization_id, workspace_id, environment_id, incident_id, id, at, kind, fold_key, event_id, last_at, data)
    select i.organization_id, i.workspace_id, i.environment_id, i.id, 'ine_' || split_part(e.id, '_', 2), e.occurred_at, 'EVENT', e.id, e.id,
           e.occurred_at, jsonb_strip_nulls(jsonb_build_object('type', e.type, 'severity', e.severity, 'by', e.actor_id,
             'subject', e.subject_type || ' ' || e.subject_id))
      from incidents i cross join lateral (
        select e.* from incident_subjects s
          join audit_events e on e.organization_id = s.organization_id and e.subject_id = s.subject_id
         where s.organization_id = i.organization_id and s.incident_id = i.id and s.subject_id <> i.id
           and e.occurred_at >= i.created_at - make_interval(secs => ${lookBackSeconds}) and e.occurred_at < i.created_at
         order by e.id desc limit ${lookBackMax}) e
     where i.organization_id = ${organizationId} and i.id = ${incidentId}
    on conflict do nothing`.execute(tx);
};
