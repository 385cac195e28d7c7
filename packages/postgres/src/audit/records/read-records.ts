import type { RecordRow } from '@svc/domain/events/audit-log/record-document.ts';
import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { readCovered } from './covered-records.ts';
import { coveredColumns } from './record-columns.ts';

type Row = Readonly<Record<string, string | null>> & { readonly svc_record_id: string; readonly svc_salt: string | null };

const getId = ({ key }: RecordKind): RawBuilder<string> => sql`concat_ws('/', ${sql.join(key.map((name) => sql`r.${sql.ref(name)}`))})`;

/** The list of a select that reads rows `r` of a kind as they are digested. */
const selected = (kind: RecordKind): RawBuilder<Row> =>
  sql`${getId(kind)} as svc_record_id, encode(r.digest_salt, 'hex') as svc_salt, ${coveredColumns(kind)}`;

const recordOf = (organization_id: string, { svc_record_id, svc_salt, ...columns }: Row): RecordRow => ({
  organization_id,
  id: svc_record_id,
  salt: svc_salt,
  columns,
});

/** The condition on rows `r` with these ids, of which the first column of the key is looked up by an index. */
const withIds = (kind: RecordKind, organizationId: string, ids: readonly string[]): RawBuilder<boolean> => {
  const [first, ...others] = kind.key;
  const exact = others.length === 0 ? sql`true` : sql`${getId(kind)} = any(${ids}::text[])`;
  const firsts = ids.map((id) => (others.length === 0 ? id : (id.split('/')[0] ?? '')));
  return sql`r.organization_id = ${organizationId} and r.${sql.ref(first)} = any(${firsts}::text[]) and ${exact}`;
};

/** Reads records of one kind by their ids, as they are digested. */
export const readRecords = async (
  tx: TenantTransaction,
  organizationId: string,
  kind: RecordKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordRow>> => {
  if (ids.length === 0) return new Map();
  if (kind.noted !== undefined) return readCovered(tx, organizationId, kind, ids);
  const { rows } =
    await sql<Row>`select ${selected(kind)} from ${sql.table(kind.table)} r where ${withIds(kind, organizationId, ids)}`.execute(tx);
  return new Map(rows.map((row) => [row.svc_record_id, recordOf(organizationId, row)]));
};

/**
 * Counts a change of records in this transaction and reads their new state, for the digests of its events. Rows without a salt
 * are omitted: no event covers them.
 */
export const reviseRecords = async (
  tx: TenantTransaction,
  organizationId: string,
  kind: RecordKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordRow>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    update ${sql.table(kind.table)} r set digest_revision = r.digest_revision + 1
     where ${withIds(kind, organizationId, ids)} and r.digest_salt is not null returning ${selected(kind)}`.execute(tx);
  return new Map(rows.map((row) => [row.svc_record_id, recordOf(organizationId, row)]));
};
