import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Between } from './made-between.ts';
import type { ScannedSlice, Slice } from './scan-in-slices.ts';

export type Search = {
  readonly organizationId: string;
  readonly table: 'actions' | 'audit_events';
  readonly columns: readonly string[];
  /** Columns that filters read and that are not returned. */
  readonly filterColumns?: readonly string[];
  readonly between: Between;
  /** Conditions on an indexed column between the organization and the identifier. */
  readonly indexed: readonly RawBuilder<boolean>[];
  /** Conditions checked on each row. */
  readonly filters: readonly RawBuilder<boolean>[];
};

const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;

/**
 * Reads one range of a record in the order of an index, and returns the matching rows: each row is visited once, and the last one is
 * returned.
 */
export const scanSegment = async <Row extends { readonly id: string }>(
  tx: TenantTransaction,
  { organizationId, table, columns, filterColumns = [], between: { first, last }, indexed, filters }: Search,
  { after, lookAt, wanted }: Slice,
): Promise<ScannedSlice<Row>> => {
  const bounds = [
    sql<boolean>`organization_id = ${organizationId}`,
    ...(after === undefined ? [] : [sql<boolean>`id < ${after}`]),
    ...(first === undefined ? [] : [sql<boolean>`id >= ${first}`]),
    ...(last === undefined ? [] : [sql<boolean>`id <= ${last}`]),
    ...indexed,
  ];
  const refs = (names: readonly string[]) => sql.join(names.map((column) => sql.ref(column)));
  const named = refs(columns);
  const { rows } = await sql<Row & { is_fitting: boolean; n: number }>`
    select ${named}, n, ${all(filters)} as is_fitting
      from (select ${refs([...columns, ...filterColumns])}, row_number() over (order by id desc) as n from ${sql.table(table)}
             where ${sql.join(bounds, sql` and `)} order by id desc limit ${lookAt}) as looked
     where ${all(filters)} or n = ${lookAt} order by id desc limit ${wanted + 1}`.execute(tx);
  const fitting = rows.filter(({ is_fitting }) => is_fitting).map(({ is_fitting: _, n: __, ...row }) => row as unknown as Row);
  return { fitting: fitting.slice(0, wanted), last: rows.find(({ n }) => n === lookAt)?.id };
};
