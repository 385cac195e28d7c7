import type { ToolImport } from '@svc/contract/tools/tool-imports.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

export type ImportRow = Selectable<Tables['tool_imports']>;
type Key = { readonly organization_id: string; readonly id: string };

/** Serializes imports of one organization, so that the limit holds. */
export const takeImportTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc tool imports ' || ${organizationId}, 0))`.execute(tx);
};

export const countImports = async (tx: TenantTransaction, organizationId: string): Promise<number> => {
  const { total } = await tx
    .selectFrom('tool_imports')
    .where('organization_id', '=', organizationId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

export const insertImport = async (tx: TenantTransaction, row: Insertable<Tables['tool_imports']>): Promise<void> => {
  await tx.insertInto('tool_imports').values(row).execute();
};

/** Drops all but the newest of a source. */
export const dropOlderImports = async (
  tx: TenantTransaction,
  { organization_id, environment_id, source }: Pick<ImportRow, 'organization_id' | 'environment_id' | 'source'>,
  keptMax: number,
): Promise<void> => {
  await tx
    .deleteFrom('tool_imports')
    .where('organization_id', '=', organization_id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('tool_imports')
        .select('id')
        .where('organization_id', '=', organization_id)
        .where('environment_id', '=', environment_id)
        .where('source', '=', source)
        .orderBy('id', 'desc')
        .offset(keptMax),
    )
    .execute();
};

export const deleteImport = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<boolean> => {
  const gone = await tx
    .deleteFrom('tool_imports')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
};

export const findImport = (tx: TenantTransaction, { organization_id, id }: Key): Promise<ImportRow | undefined> =>
  tx.selectFrom('tool_imports').selectAll().where('organization_id', '=', organization_id).where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listImports = async (
  tx: TenantTransaction,
  organizationId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ImportRow[]> =>
  tx
    .selectFrom('tool_imports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

const NO_COUNTS: ToolImport['counts'] = { total: 0, NEW: 0, CHANGED: 0, UNCHANGED: 0, GONE: 0, REFUSED: 0 };

/** Counts how documents differ from the tools imported from their sources. */
export const countStates = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ToolImport['counts']>> => {
  const { rows } = await sql<{ import_id: string } & Record<string, number>>`
    select i.id as import_id,
           count(s.state)::integer as total,
           (count(*) filter (where s.state = 'NEW'))::integer as "NEW",
           (count(*) filter (where s.state = 'CHANGED'))::integer as "CHANGED",
           (count(*) filter (where s.state = 'UNCHANGED'))::integer as "UNCHANGED",
           (count(*) filter (where s.state = 'GONE'))::integer as "GONE",
           (count(*) filter (where s.state = 'REFUSED'))::integer as "REFUSED"
      from tool_imports i
      left join lateral (
        select case when p.key is null then 'GONE' when p.reason is not null then 'REFUSED' when t.key is null then 'NEW'
                    when t.hashes = p.hashes then 'UNCHANGED' else 'CHANGED' end as state
          from (select key, reason, hashes from tool_proposals where organization_id = i.organization_id and import_id = i.id) p
          full join (select key, hashes from imported_tools
                      where organization_id = i.organization_id and environment_id = i.environment_id and source = i.source) t
            on t.key = p.key
      ) s on true
     where i.organization_id = ${organizationId} and i.id = any(${[...ids]})
     group by i.id`.execute(tx);
  return new Map(rows.map(({ import_id, ...counts }) => [import_id, { ...NO_COUNTS, ...counts }]));
};
