import type { EnvironmentType, Mode, Separation } from '@svc/contract/tables/vocabulary.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { defaultContextScope } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const COLUMNS = [
  'id',
  'workspace_id',
  'name',
  'type',
  'mode',
  'requires_delegation',
  'separation',
  'paused_at',
  'paused_reason',
  'archived_at',
  'created_at',
  'updated_at',
  sql<Environment['context_scope'] | null>`(select r.settings ->> 'context_scope' from risk_settings r
    where r.organization_id = environments.organization_id and r.environment_id = environments.id)`.as('chosen_scope'),
] as const;

type Row = Omit<Environment, 'paused' | 'context_scope'> & { readonly chosen_scope: Environment['context_scope'] | null };
const toWire = (row: Row): Environment => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  type: row.type,
  mode: row.mode,
  requires_delegation: row.requires_delegation,
  separation: row.separation,
  context_scope: row.chosen_scope ?? defaultContextScope(row.type),
  paused: row.paused_at !== null,
  paused_at: row.paused_at,
  paused_reason: row.paused_reason,
  archived_at: row.archived_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const listEnvironments = async (tx: TenantTransaction, organizationId: string): Promise<Environment[]> =>
  (await tx.selectFrom('environments').select(COLUMNS).where('organization_id', '=', organizationId).orderBy('id').execute()).map(toWire);

/** Lists environments that the caller sees; at most `limit`. */
export const listEnvironmentIds = async (tx: TenantTransaction, organizationId: string, limit: number): Promise<string[]> =>
  (await tx.selectFrom('environments').select('id').where('organization_id', '=', organizationId).orderBy('id').limit(limit).execute()).map(
    ({ id }) => id,
  );

export type NewEnvironment = {
  readonly organization_id: string;
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly type: EnvironmentType;
  readonly requires_delegation: boolean;
  readonly now: Date;
};

/** A new environment enforces: the mode is left to the column's default. */
export const insertEnvironment = async (tx: TenantTransaction, { now, ...row }: NewEnvironment): Promise<Environment> =>
  toWire(
    await tx
      .insertInto('environments')
      .values({ ...row, created_at: now, updated_at: now })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );

export const findEnvironment = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Environment | undefined> => {
  const row = await tx
    .selectFrom('environments')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toWire(row);
};

/** Reads it and locks it until the transaction ends. */
export const lockEnvironment = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Environment | undefined> => {
  const row = await tx
    .selectFrom('environments')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toWire(row);
};

/** Returns true if an environment or its workspace is archived. */
export const isArchived = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<boolean> =>
  (await tx
    .selectFrom('environments as e')
    .innerJoin('workspaces as w', (join) => join.onRef('w.organization_id', '=', 'e.organization_id').onRef('w.id', '=', 'e.workspace_id'))
    .select('e.id')
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', environmentId)
    .where((each) => each.or([each('e.archived_at', 'is not', null), each('w.archived_at', 'is not', null)]))
    .executeTakeFirst()) !== undefined;

export type EnvironmentChange =
  | { readonly name?: string; readonly requires_delegation?: boolean; readonly separation?: Separation; readonly archived_at?: null }
  | { readonly archived_at: Date | null }
  | { readonly mode: Mode }
  | { readonly paused_at: Date | null; readonly paused_reason: string | null };

export const updateEnvironment = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  changed: EnvironmentChange,
  now: Date,
): Promise<Environment> =>
  toWire(
    await tx
      .updateTable('environments')
      .set({ ...changed, updated_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );
