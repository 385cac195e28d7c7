import type { RecordRow } from '@svc/domain/events/audit-log/record-document.ts';
import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { coveredColumns } from './record-columns.ts';

/** A covered record with the number of its changes; the event that covers it is null if none does. */
export type CoveredRow = RecordRow & { readonly revision: number; readonly eventId: string | null };

type Row = Readonly<Record<string, string | null>> & {
  readonly svc_record_id: string;
  readonly svc_salt: string | null;
  readonly svc_revision: string | null;
  readonly svc_event_id: string | null;
  readonly svc_is_there: string | null;
};

const coveredRow = (organization_id: string, row: Row): CoveredRow | undefined => {
  const { svc_record_id: id, svc_salt: salt, svc_revision, svc_event_id: eventId, svc_is_there, ...columns } = row;
  if (svc_is_there === null && svc_revision === null) return undefined;
  return { organization_id, id, salt, columns, isAbsent: svc_is_there === null, revision: Number(svc_revision ?? 0), eventId };
};

/** Joins rows `r` of a kind to ids `asked.id`. Key columns are compared one by one, so that an index finds each row. */
const isAsked = ({ key, noted }: RecordKind, organizationId: string): RawBuilder<boolean> => {
  const ids = key.map(
    (name, n) => sql`r.${sql.ref(name)}::text = ${key.length === 1 ? sql`asked.id` : sql`split_part(asked.id, '/', ${sql.lit(n + 1)})`}`,
  );
  return sql`r.${sql.ref(noted?.organization ?? 'organization_id')} = ${organizationId} and ${sql.join(ids, sql` and `)}`;
};

/** Reads covered records of one kind by their ids, in the digested form: those that have a row, and those that an event covers. */
export const readCovered = async (
  tx: TenantTransaction,
  organizationId: string,
  kind: RecordKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CoveredRow>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select asked.id as svc_record_id, encode(d.salt, 'hex') as svc_salt, d.revision::text as svc_revision, d.event_id as svc_event_id,
           r.${sql.ref(kind.key[0])} as svc_is_there, ${coveredColumns(kind)}
      from unnest(${ids}::text[]) as asked (id)
      left join covered_records d on d.organization_id = ${organizationId} and d.record_type = ${kind.type} and d.record_id = asked.id
      left join ${sql.table(kind.table)} r on ${isAsked(kind, organizationId)}`.execute(tx);
  return new Map(
    rows.flatMap((row) => {
      const found = coveredRow(organizationId, row);
      return found === undefined ? [] : [[found.id, found] as const];
    }),
  );
};

/** A record that this transaction changed. */
export type NotedRecord = { readonly type: string; readonly id: string };

const LINE = /^(\S+) (\S+) (\S+)$/;

/** Reads and clears the records of an organization that triggers noted in this transaction. */
export const takeNoted = async (tx: TenantTransaction, organizationId: string): Promise<readonly NotedRecord[]> => {
  const { rows } = await sql<{ noted: string | null }>`select current_setting('svc.changed_records', true) as noted`.execute(tx);
  const lines = (rows[0]?.noted ?? '').split('\n').flatMap((line) => {
    const [, organization, type, id] = LINE.exec(line) ?? [];
    return organization === undefined || type === undefined || id === undefined ? [] : [{ organization, type, id, line }];
  });
  const own = lines.filter(({ organization }) => organization === organizationId);
  if (own.length === 0) return [];
  const rest = lines.filter(({ organization }) => organization !== organizationId).map(({ line }) => `${line}\n`);
  await sql`select set_config('svc.changed_records', ${rest.join('')}, true)`.execute(tx);
  // Two statements may have noted the same record.
  return [...new Map(own.map(({ type, id, line }) => [line, { type, id }])).values()];
};

/**
 * Counts a change of records and records the event that covers each. It locks their entries, so what is read afterwards includes every
 * change that
 * was committed before, and the revisions follow the order in which the rows were changed.
 */
export const countChanges = async (
  tx: TenantTransaction,
  organizationId: string,
  changed: readonly (NotedRecord & { readonly eventId: string })[],
): Promise<void> => {
  await sql`
    insert into covered_records as d (organization_id, record_type, record_id, event_id)
    select ${organizationId}, c.type, c.id, c.event_id
      from unnest(${changed.map(({ type }) => type)}::text[], ${changed.map(({ id }) => id)}::text[], ${changed.map(({ eventId }) => eventId)}::text[])
             as c (type, id, event_id)
     order by c.type, c.id
        on conflict (organization_id, record_type, record_id) do update set revision = d.revision + 1, event_id = excluded.event_id`.execute(
    tx,
  );
};

/** Runs `work` without the limits of the caller to a part of the organization: a record is digested with all rows that belong to it. */
export const removeCallerLimits = async <Result>(tx: TenantTransaction, work: () => Promise<Result>): Promise<Result> => {
  const { rows } = await sql<{ workspaces: string | null; environment: string | null }>`
    select current_setting('svc.workspace_id', true) as workspaces, current_setting('svc.environment_id', true) as environment`.execute(tx);
  const narrowTo = (workspaces: string, environment: string) =>
    sql`select set_config('svc.workspace_id', ${workspaces}, true), set_config('svc.environment_id', ${environment}, true)`.execute(tx);
  const [before] = rows;
  const isNarrow = Boolean(before?.workspaces) || Boolean(before?.environment);
  if (isNarrow) await narrowTo('', '');
  const result = await work();
  if (isNarrow) await narrowTo(before?.workspaces ?? '', before?.environment ?? '');
  return result;
};
