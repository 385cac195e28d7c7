import type { McpServer } from '@svc/contract/peers/mcp/mcp-servers.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

export type McpServerRow = Selectable<Tables['mcp_servers']>;
type Counts = McpServer['tools'];

/** A server with the number of its tools in each status. */
export type CountedMcpServer = McpServerRow & { readonly tools: Counts };

const counted = sql<Counts>`(select jsonb_build_object(
    'discovered', count(*) filter (where t.status = 'DISCOVERED'), 'authorized', count(*) filter (where t.status = 'AUTHORIZED'),
    'changed', count(*) filter (where t.status = 'CHANGED'), 'disabled', count(*) filter (where t.status = 'DISABLED'),
    'gone', count(*) filter (where t.status = 'GONE'))
  from mcp_tools t where t.organization_id = mcp_servers.organization_id and t.server_id = mcp_servers.id)`;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('mcp_servers').selectAll().select(counted.as('tools')).where('organization_id', '=', organizationId);

/** Newest first. */
export const listMcpServers = (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string | undefined,
  part: ListedPart,
): Promise<Listed<CountedMcpServer>> => {
  const some = select(tx, organizationId).$if(environmentId !== undefined, (query) =>
    query.where('environment_id', '=', environmentId ?? ''),
  );
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, some, max),
  );
};

export const findMcpServer = (tx: TenantTransaction, organizationId: string, id: string): Promise<CountedMcpServer | undefined> =>
  select(tx, organizationId).where('id', '=', id).executeTakeFirst();

/** Locks the server until the transaction ends, so that two changes of it happen one after the other. */
export const lockMcpServer = (tx: TenantTransaction, organizationId: string, id: string): Promise<McpServerRow | undefined> =>
  tx
    .selectFrom('mcp_servers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const countMcpServers = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('mcp_servers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .executeTakeFirstOrThrow();
  return count;
};

/** Serializes adding servers in one environment, so that slugs are unique and the limit holds. */
export const takeMcpServerTurn = async (tx: TenantTransaction, environmentId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc mcp servers ' || ${environmentId}, 0))`.execute(tx);
};

/** Slugs of an environment that begin with a text. */
export const listTakenSlugs = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
): Promise<ReadonlySet<string>> => {
  const rows = await tx
    .selectFrom('mcp_servers')
    .select('slug')
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .execute();
  return new Set(rows.map(({ slug }) => slug));
};

export const insertMcpServer = async (tx: TenantTransaction, row: Insertable<Tables['mcp_servers']>): Promise<void> => {
  await tx.insertInto('mcp_servers').values(row).execute();
};

export const updateMcpServerRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['mcp_servers']>,
): Promise<void> => {
  await tx.updateTable('mcp_servers').set(row).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

export const deleteMcpServerRow = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('mcp_servers').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Stores a listing, or records that it was taken again; only the newest ones of a server are kept. */
export const keepMcpListing = async (tx: TenantTransaction, row: Insertable<Tables['mcp_listings']>, keptMax: number): Promise<void> => {
  await tx
    .insertInto('mcp_listings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'server_id', 'hash']).doUpdateSet({ last_taken_at: row.last_taken_at }))
    .execute();
  await sql`
    delete from mcp_listings where organization_id = ${row.organization_id} and server_id = ${row.server_id}
       and hash not in (select hash from mcp_listings where organization_id = ${row.organization_id} and server_id = ${row.server_id}
                         order by last_taken_at desc, hash limit ${keptMax})`.execute(tx);
};

export const listMcpListings = (tx: TenantTransaction, organizationId: string, serverId: string) =>
  tx
    .selectFrom('mcp_listings')
    .select(['hash', 'definitions', 'taken_by_type', 'taken_by_id', 'first_taken_at', 'last_taken_at'])
    .where('organization_id', '=', organizationId)
    .where('server_id', '=', serverId)
    .orderBy('last_taken_at', 'desc')
    .execute();

type Most = { readonly countMax: number; readonly ofOneMax: number };

/** Finds due servers of all organizations, a bounded number of each, the longest due first. Read as svc_identity. */
export const findDueListings = async (
  identity: Database,
  now: Date,
  { countMax, ofOneMax }: Most,
): Promise<readonly { readonly organization_id: string; readonly id: string }[]> => {
  const { rows } = await sql<{ organization_id: string; id: string }>`
    select organization_id, id from (
      select organization_id, id, listing_due_at, row_number() over (partition by organization_id order by listing_due_at) as place
        from mcp_servers where status <> 'DISABLED' and listing_due_at <= ${now}) due
     where place <= ${ofOneMax} order by listing_due_at limit ${countMax}`.execute(identity);
  return rows;
};
