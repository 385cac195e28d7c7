import type { RunState } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { Observation } from '@svc/domain/runtimes/runtimes/assess-enforcement.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

export type VerificationRunRow = Selectable<Tables['verification_runs']>;
export type RunEvidenceRow = Selectable<Tables['runtime_evidence']>;
type Key = { readonly organization_id: string; readonly runtime_id: string };

const UNDER_WAY: readonly RunState[] = ['QUEUED', 'RUNNING'];

export const findRunUnderWay = (tx: TenantTransaction, { organization_id, runtime_id }: Key): Promise<VerificationRunRow | undefined> =>
  tx
    .selectFrom('verification_runs')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('state', 'in', UNDER_WAY)
    .executeTakeFirst();

export const insertRun = (tx: TenantTransaction, row: Insertable<Tables['verification_runs']>): Promise<VerificationRunRow> =>
  tx.insertInto('verification_runs').values(row).returningAll().executeTakeFirstOrThrow();

/** Locks a run that has not ended, if it is as it was when it was claimed; undefined if another process has it, or if it ended. */
export const lockClaimedRun = (
  tx: TenantTransaction,
  { organization_id, id, due_at }: Pick<VerificationRunRow, 'organization_id' | 'id' | 'due_at'>,
): Promise<VerificationRunRow | undefined> =>
  tx
    .selectFrom('verification_runs')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .where('state', 'in', UNDER_WAY)
    .forUpdate()
    .executeTakeFirst();

/** Claims a run whose next step is due, until a time; undefined if another process was first. */
export const claimRun = (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<VerificationRunRow | undefined> =>
  tx
    .updateTable('verification_runs')
    .set({ due_at: until, state: 'RUNNING', started_at: sql`coalesce(started_at, ${now})` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('due_at', '<=', now.toISOString())
    .where('state', 'in', UNDER_WAY)
    .returningAll()
    .executeTakeFirst();

export const updateRun = (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['verification_runs']>,
): Promise<VerificationRunRow> =>
  tx
    .updateTable('verification_runs')
    .set(row)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Newest first, after a given one. */
export const listRuns = (
  tx: TenantTransaction,
  { organization_id, runtime_id }: Key,
  filter: {
    readonly state?: RunState | undefined;
    readonly run_id?: string | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<VerificationRunRow[]> =>
  tx
    .selectFrom('verification_runs')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .$if(filter.state !== undefined, (query) => query.where('state', '=', filter.state ?? 'QUEUED'))
    .$if(filter.run_id !== undefined, (query) => query.where('id', '=', filter.run_id ?? ''))
    .$if(filter.after !== undefined, (query) => query.where('id', '<', filter.after ?? ''))
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();

/** Removes the oldest runs of a runtime with their evidence. */
export const removeOldRuns = async (tx: TenantTransaction, { organization_id, runtime_id }: Key, keptMax: number): Promise<void> => {
  await sql`
    delete from verification_runs where organization_id = ${organization_id} and runtime_id = ${runtime_id} and state not in ('QUEUED', 'RUNNING')
       and id < (select id from verification_runs where organization_id = ${organization_id} and runtime_id = ${runtime_id}
                  order by id desc offset ${keptMax} limit 1)`.execute(tx);
};

export const insertEvidence = async (tx: TenantTransaction, rows: readonly Insertable<Tables['runtime_evidence']>[]): Promise<void> => {
  if (rows.length > 0)
    await tx
      .insertInto('runtime_evidence')
      .values([...rows])
      .execute();
};

export const listEvidence = (tx: TenantTransaction, organizationId: string, runId: string): Promise<RunEvidenceRow[]> =>
  tx
    .selectFrom('runtime_evidence')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .orderBy('seq')
    .execute();

export type NewestEvidence = Observation & Pick<RunEvidenceRow, 'run_id' | 'detail' | 'source'>;

/** The newest observation of each name since a time. */
export const listNewestEvidence = async (
  tx: TenantTransaction,
  { organization_id, runtime_id }: Key,
  since: string,
): Promise<NewestEvidence[]> => {
  const { rows } = await sql<NewestEvidence>`
    select distinct on (name) name, holds, observed_at, run_id, detail, source from runtime_evidence
     where organization_id = ${organization_id} and runtime_id = ${runtime_id} and observed_at >= ${since}
     order by name, observed_at desc, run_id desc, seq desc`.execute(tx);
  return rows;
};

/** Runs of all organizations whose next step is due. Read as svc_identity. */
export const findDueRuns = async (
  identity: Database,
  now: Date,
  countMax: number,
): Promise<readonly { readonly organization_id: string; readonly id: string }[]> =>
  identity
    .selectFrom('verification_runs')
    .select(['organization_id', 'id'])
    .where('state', 'in', UNDER_WAY)
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(countMax)
    .execute();

export type NewAssessment = Insertable<Tables['runtime_assessments']>;

export const insertAssessment = async (tx: TenantTransaction, row: NewAssessment): Promise<void> => {
  await tx.insertInto('runtime_assessments').values(row).execute();
};

export const listAssessments = (tx: TenantTransaction, { organization_id, runtime_id }: Key, limit: number) =>
  tx
    .selectFrom('runtime_assessments')
    .select(['at', 'status', 'cause', 'reasons', 'run_id'])
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();

export const insertReport = (tx: TenantTransaction, row: Insertable<Tables['runtime_reports']>): Promise<{ readonly id: string }> =>
  tx.insertInto('runtime_reports').values(row).returning('id').executeTakeFirstOrThrow();

export const listNewestReports = (tx: TenantTransaction, { organization_id, runtime_id }: Key, since: string, limit: number) =>
  tx
    .selectFrom('runtime_reports')
    .select(['source', 'at', 'body'])
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
