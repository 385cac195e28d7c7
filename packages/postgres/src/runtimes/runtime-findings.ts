import {
  FINDING_SEVERITIES,
  type FindingKind,
  type FindingSeverity,
  type FindingStatus,
} from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Tables } from '../connection/tables.ts';

export type RuntimeFindingRow = Selectable<Tables['runtime_findings']>;
type Key = { readonly organization_id: string; readonly runtime_id: string };

export type FindingFilter = {
  readonly runtime_id?: string | undefined;
  readonly environment_id?: string | undefined;
  readonly workflow_id?: string | undefined;
  readonly kind?: FindingKind | undefined;
  /** This severity or a higher one. */
  readonly severity?: FindingSeverity | undefined;
  readonly status?: FindingStatus | undefined;
  readonly dormant?: boolean | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

/** Newest first. */
export const listRuntimeFindings = (tx: TenantTransaction, organizationId: string, filter: FindingFilter): Promise<RuntimeFindingRow[]> => {
  const { runtime_id, environment_id, workflow_id, kind, severity, status, dormant, after, limit } = filter;
  const severities = FINDING_SEVERITIES.slice(FINDING_SEVERITIES.indexOf(severity ?? 'LOW'));
  return tx
    .selectFrom('runtime_findings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(runtime_id !== undefined, (query) => query.where('runtime_id', '=', runtime_id ?? ''))
    .$if(environment_id !== undefined, (query) => query.where('environment_id', '=', environment_id ?? ''))
    .$if(workflow_id !== undefined, (query) => query.where(sql<boolean>`workflow ->> 'id' = ${workflow_id}`))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'TOO_LARGE'))
    .$if(severity !== undefined, (query) => query.where('severity', 'in', severities))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'OPEN'))
    .$if(dormant !== undefined, (query) => query.where('dormant', '=', dormant ?? false))
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
};

export const lockRuntimeFinding = (tx: TenantTransaction, organizationId: string, id: string): Promise<RuntimeFindingRow | undefined> =>
  tx
    .selectFrom('runtime_findings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** The runtime that a finding is of, without locking either. */
export const findRuntimeFinding = (tx: TenantTransaction, organizationId: string, id: string): Promise<RuntimeFindingRow | undefined> =>
  tx.selectFrom('runtime_findings').selectAll().where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst();

/** Lists every finding of a runtime, or only those that are not resolved. */
export const findingsOfRuntime = (
  tx: TenantTransaction,
  { organization_id, runtime_id }: Key,
  isLive: boolean,
): Promise<RuntimeFindingRow[]> =>
  tx
    .selectFrom('runtime_findings')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .$if(isLive, (query) => query.where('status', '<>', 'RESOLVED'))
    .orderBy('id')
    .execute();

export const insertRuntimeFindings = async (
  tx: TenantTransaction,
  rows: readonly Insertable<Tables['runtime_findings']>[],
): Promise<void> => {
  if (rows.length > 0)
    await tx
      .insertInto('runtime_findings')
      .values([...rows])
      .execute();
};

export const updateRuntimeFinding = (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['runtime_findings']>,
): Promise<RuntimeFindingRow> =>
  tx
    .updateTable('runtime_findings')
    .set(row)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Opens findings whose acceptance has expired. */
export const endExpiredAcceptances = async (tx: TenantTransaction, { organization_id, runtime_id }: Key, now: Date): Promise<void> => {
  await tx
    .updateTable('runtime_findings')
    .set({ status: 'OPEN', acceptance_ended_at: now, acceptance_ended_because: 'EXPIRED' })
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('status', '=', 'ACCEPTED')
    .where('accepted_until', '<=', now.toISOString())
    .execute();
};
