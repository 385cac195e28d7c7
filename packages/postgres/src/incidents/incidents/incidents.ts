import type { IncidentSeverity, IncidentStatus, IncidentSubject } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

export type IncidentRow = Selectable<Tables['incidents']>;

export type IncidentFilter = {
  readonly status?: IncidentStatus | undefined;
  readonly severity?: IncidentSeverity | undefined;
  readonly agentId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const select = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('incidents').selectAll().where('organization_id', '=', organizationId);

/** Newest first. */
export const listIncidents = (
  tx: TenantTransaction,
  organizationId: string,
  { status, severity, agentId, from, to }: IncidentFilter,
  part: ListedPart,
): Promise<Listed<IncidentRow>> => {
  const found = select(tx, organizationId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'OPEN'))
    .$if(severity !== undefined, (query) => query.where('severity', '=', severity ?? 'LOW'))
    .$if(agentId !== undefined, (query) =>
      query.where(sql<boolean>`subjects @> jsonb_build_array(jsonb_build_object('type', 'agent', 'id', ${agentId}::text))`),
    )
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('created_at', '<', to ?? ''));
  return listed(
    part,
    ({ limit, offset }) => found.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, found, max),
  );
};

export const findIncident = (tx: TenantTransaction, organizationId: string, id: string): Promise<IncidentRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).executeTakeFirst();

/** Locks the incident, so that two changes of it happen one after the other. */
export const lockIncident = (tx: TenantTransaction, organizationId: string, id: string): Promise<IncidentRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).forUpdate().executeTakeFirst();

export const insertIncident = async (tx: TenantTransaction, row: Insertable<Tables['incidents']>): Promise<void> => {
  await tx.insertInto('incidents').values(row).execute();
};

export const updateIncidentRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['incidents']>,
): Promise<void> => {
  await tx.updateTable('incidents').set(row).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Incidents of an organization that are not closed, up to `max`. */
export const countOpenIncidents = (tx: TenantTransaction, organizationId: string, max: number): Promise<number> =>
  countUpTo(tx, tx.selectFrom('incidents').select('id').where('organization_id', '=', organizationId).where('status', '<>', 'CLOSED'), max);

/**
 * Sets the ids whose events belong to the timeline: those of the subjects and of the incident itself. None once it is closed. Events of
 * decisions state the name of their tool, so a tool is followed by its environment and name too.
 */
export const setFollowed = async (
  tx: TenantTransaction,
  organizationId: string,
  incidentId: string,
  ids: readonly string[],
): Promise<void> => {
  await tx.deleteFrom('incident_subjects').where('organization_id', '=', organizationId).where('incident_id', '=', incidentId).execute();
  if (ids.length === 0) return;
  await sql`
    insert into incident_subjects (organization_id, incident_id, subject_id)
    select ${organizationId}, ${incidentId}, id from unnest(${[...ids]}::text[]) as given (id)
     union select ${organizationId}, ${incidentId}, t.environment_id || ' ' || t.name from tools t
     where t.organization_id = ${organizationId} and t.id = any (${[...ids]}::text[])
    on conflict do nothing`.execute(tx);
};

const TABLES = {
  agent: 'agents',
  tool: 'tools',
  environment: 'environments',
  policy: 'policies',
  credential: 'credentials',
  mcp_server: 'mcp_servers',
} as const satisfies Record<IncidentSubject['type'], keyof Tables>;

/** The position of the first subject that does not exist; -1 if all do. */
export const findMissingSubject = async (
  tx: TenantTransaction,
  organizationId: string,
  subjects: readonly IncidentSubject[],
): Promise<number> => {
  const byType = Map.groupBy(subjects, ({ type }) => type);
  const known = new Set<string>();
  for (const [type, some] of byType) {
    const rows = await tx
      .selectFrom(TABLES[type])
      .select('id')
      .where('organization_id', '=', organizationId)
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
    for (const { id } of rows) known.add(`${type} ${id}`);
  }
  return subjects.findIndex(({ type, id }) => !known.has(`${type} ${id}`));
};
