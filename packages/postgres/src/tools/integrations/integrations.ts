import type { Integration, IntegrationStatus } from '@svc/contract/tools/integrations.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

export type IntegrationRow = Selectable<Tables['integrations']>;
type Key = { readonly organization_id: string; readonly id: string };

/** An integration with the tools of its source. */
export type WholeIntegration = IntegrationRow & { readonly tools: Integration['tools'] };

const tools = sql<Integration['tools']>`coalesce((
  select jsonb_agg(jsonb_build_object('key', i.key, 'tool_id', t.id, 'name', t.name, 'status', t.status) order by i.key)
    from imported_tools i join tools t on t.organization_id = i.organization_id and t.id = i.tool_id
   where i.organization_id = integrations.organization_id and i.environment_id = integrations.environment_id
     and i.source = integrations.source), '[]')`;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('integrations').selectAll().select(tools.as('tools')).where('organization_id', '=', organizationId);

export const findIntegration = (tx: TenantTransaction, { organization_id, id }: Key): Promise<WholeIntegration | undefined> =>
  select(tx, organization_id).where('id', '=', id).executeTakeFirst();

type Filter = { readonly environment_id?: string | undefined; readonly status?: IntegrationStatus | undefined };

/** Newest first. */
export const listIntegrations = (
  tx: TenantTransaction,
  organizationId: string,
  { environment_id, status }: Filter,
  part: ListedPart,
): Promise<Listed<WholeIntegration>> => {
  const some = select(tx, organizationId)
    .$if(environment_id !== undefined, (query) => query.where('environment_id', '=', environment_id ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'ACTIVE'));
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, some, max),
  );
};

/** Locks an integration until the transaction ends, so that two changes of it happen one after the other. */
export const lockIntegration = (tx: TenantTransaction, { organization_id, id }: Key): Promise<IntegrationRow | undefined> =>
  tx
    .selectFrom('integrations')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const insertIntegration = async (tx: TenantTransaction, row: Insertable<Tables['integrations']>): Promise<void> => {
  await tx.insertInto('integrations').values(row).execute();
};

export const changeIntegration = async (
  tx: TenantTransaction,
  { organization_id, id }: Key,
  change: Updateable<Tables['integrations']>,
): Promise<void> => {
  await tx.updateTable('integrations').set(change).where('organization_id', '=', organization_id).where('id', '=', id).execute();
};

export const countIntegrations = async (tx: TenantTransaction, organizationId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('integrations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
};

/** True if tools of an environment were applied from a source, or an integration has it. */
export const isSourceTaken = async (
  tx: TenantTransaction,
  { organization_id, environment_id, source }: Pick<IntegrationRow, 'organization_id' | 'environment_id' | 'source'>,
): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select 1 from imported_tools
                    where organization_id = ${organization_id} and environment_id = ${environment_id} and source = ${source})
        or exists (select 1 from integrations
                    where organization_id = ${organization_id} and environment_id = ${environment_id} and source = ${source}) as taken`.execute(
    tx,
  );
  return rows[0]?.taken ?? false;
};
