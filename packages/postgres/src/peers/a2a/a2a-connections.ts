import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

/** A connection with the name of its governed tool. */
export type A2aConnectionRow = Selectable<Tables['a2a_connections']> & { readonly tool_name: string; readonly required_capability: string };

const toolColumn = (column: 'name' | 'required_capability') =>
  sql<string>`(select t.${sql.ref(column)} from tools t where t.organization_id = a2a_connections.organization_id and t.id = a2a_connections.tool_id)`;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('a2a_connections')
    .selectAll()
    .select([toolColumn('name').as('tool_name'), toolColumn('required_capability').as('required_capability')])
    .where('organization_id', '=', organizationId);

/** Newest first. */
export const listA2aConnections = (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string | undefined,
  part: ListedPart,
): Promise<Listed<A2aConnectionRow>> => {
  const some = select(tx, organizationId).$if(environmentId !== undefined, (query) =>
    query.where('environment_id', '=', environmentId ?? ''),
  );
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, some, max),
  );
};

export const findA2aConnection = (tx: TenantTransaction, organizationId: string, id: string): Promise<A2aConnectionRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).executeTakeFirst();

/** Locks the connection until the transaction ends. */
export const lockA2aConnection = (tx: TenantTransaction, organizationId: string, id: string): Promise<A2aConnectionRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).forUpdate().executeTakeFirst();

/** Serializes adding connections in one environment, so that slugs are unique and the limit holds. */
export const takeA2aConnectionTurn = async (tx: TenantTransaction, environmentId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc a2a connections ' || ${environmentId}, 0))`.execute(tx);
};

/** Slugs of the connections of an environment, and of the tools that are named like those of connections. */
export const listTakenA2aSlugs = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ slug: string }>`
    select slug from a2a_connections where organization_id = ${organizationId} and environment_id = ${environmentId}
     union select substr(lower(name), 5) from tools
      where organization_id = ${organizationId} and environment_id = ${environmentId} and starts_with(lower(name), 'a2a.')`.execute(tx);
  return new Set(rows.map(({ slug }) => slug));
};

export const countA2aConnections = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('a2a_connections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .executeTakeFirstOrThrow();
  return count;
};

export const insertA2aConnection = async (tx: TenantTransaction, row: Insertable<Tables['a2a_connections']>): Promise<void> => {
  await tx.insertInto('a2a_connections').values(row).execute();
};

export const updateA2aConnectionRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['a2a_connections']>,
): Promise<void> => {
  await tx.updateTable('a2a_connections').set(row).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

export const deleteA2aConnectionRow = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('a2a_connections').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Organization, environment, agent and name of a connection; `agent_id` is null for an outbound one. */
export type ConnectionHome = {
  readonly organization_id: string;
  readonly environment_id: string;
  readonly agent_id: string | null;
  readonly name: string;
};

/** Finds the organization of a connection before any tenant is known. */
export const findConnectionHome = (identity: Database, id: string): Promise<ConnectionHome | undefined> =>
  identity
    .selectFrom('a2a_connections')
    .select(['organization_id', 'environment_id', 'agent_id', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
