import type { IncidentEntryKind } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

export type EntryRow = Selectable<Tables['incident_entries']>;

export const insertEntry = async (tx: TenantTransaction, row: Insertable<Tables['incident_entries']>): Promise<void> => {
  await tx.insertInto('incident_entries').values(row).execute();
};

type TimelinePage = {
  readonly incidentId: string;
  readonly kind?: IncidentEntryKind | undefined;
  readonly from?: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

/** Entries of a timeline in the order of their times, one more than the page holds. */
export const readTimeline = (
  tx: TenantTransaction,
  organizationId: string,
  { incidentId, kind, from, after, limit }: TimelinePage,
): Promise<EntryRow[]> =>
  tx
    .selectFrom('incident_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('incident_id', '=', incidentId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'NOTE'))
    .$if(from !== undefined, (query) => query.where('at', '>=', from ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(at, id) > (select e.at, e.id from incident_entries e where e.organization_id = ${organizationId}
          and e.incident_id = ${incidentId} and e.id = ${after})`,
      ),
    )
    .orderBy('at')
    .orderBy('id')
    .limit(limit + 1)
    .execute();

export const countEntries = async (tx: TenantTransaction, organizationId: string, incidentId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('incident_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('incident_id', '=', incidentId)
    .executeTakeFirstOrThrow();
  return count;
};

type Summed = {
  readonly people: readonly { readonly id: string; readonly entries: number }[];
  readonly refused: number;
  readonly permitted: number;
};

/** The people in a timeline, and the decisions in it before a time. */
export const sumTimeline = async (tx: TenantTransaction, organizationId: string, incidentId: string, before: string): Promise<Summed> => {
  const { rows } = await sql<Summed>`
    with mine as materialized (select * from incident_entries where organization_id = ${organizationId} and incident_id = ${incidentId})
    select (select coalesce(json_agg(json_build_object('id', p.id, 'entries', p.n) order by p.n desc, p.id), '[]') from (
              select data ->> 'by' as id, count(*)::int as n from mine where data ->> 'by' like 'usr\\_%' group by 1 order by 2 desc limit 50) p) as people,
           (select coalesce(sum(count), 0)::int from mine where data ->> 'type' = 'action.blocked' and at < ${before}) as refused,
           (select coalesce(sum(count), 0)::int from mine where data ->> 'type' = 'action.allowed' and at < ${before}) as permitted`.execute(
    tx,
  );
  return rows[0] ?? { people: [], refused: 0, permitted: 0 };
};
