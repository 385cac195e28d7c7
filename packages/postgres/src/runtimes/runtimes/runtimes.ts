import type { Runtime } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type {
  ConnectionHealth,
  EnforcementStatus,
  FindingSeverity,
  RuntimeKind,
  RuntimeStatus,
} from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

export type RuntimeRow = Selectable<Tables['runtimes']>;
type RunRow = Selectable<Tables['verification_runs']>;

/** A runtime with the numbers of its findings and workflows, and its newest run. */
export type CountedRuntime = RuntimeRow & {
  readonly findings: { readonly open: Partial<Record<FindingSeverity, number>>; readonly accepted: number; readonly dormant: number };
  readonly workflows: Runtime['workflows'];
  readonly last_run: RunRow | null;
};

const ofRuntime = sql`organization_id = runtimes.organization_id and runtime_id = runtimes.id`;

const findings = sql<CountedRuntime['findings']>`(select jsonb_build_object(
    'open', coalesce(jsonb_object_agg(severity, open) filter (where open > 0), '{}'), 'accepted', coalesce(sum(accepted), 0),
    'dormant', coalesce(sum(dormant), 0))
  from (select severity, count(*) filter (where status = 'OPEN') as open, count(*) filter (where status = 'ACCEPTED') as accepted,
               count(*) filter (where status = 'OPEN' and dormant) as dormant
          from runtime_findings where ${ofRuntime} and status <> 'RESOLVED' group by severity) as by_severity)`;

const workflows = sql<Runtime['workflows']>`(select jsonb_build_object('total', count(*), 'active', count(*) filter (where active))
  from runtime_workflows where ${ofRuntime} and gone_at is null)`;

const lastRun = sql<RunRow | null>`(select to_jsonb(r) - 'cursor' from verification_runs r where ${ofRuntime} order by id desc limit 1)`;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('runtimes')
    .selectAll()
    .select([findings.as('findings'), workflows.as('workflows'), lastRun.as('last_run')])
    .where('organization_id', '=', organizationId);

export type RuntimeFilter = {
  readonly kind?: RuntimeKind | undefined;
  readonly environment_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly enforcement?: EnforcementStatus | undefined;
  readonly health?: ConnectionHealth | undefined;
  readonly status?: RuntimeStatus | undefined;
};

/** The status of the forecast that holds at a time, as decisions read it. */
const statusAt = (now: Date) => sql<EnforcementStatus>`coalesce(
  case when status = 'DISCONNECTED' then 'UNKNOWN'
       else (select step ->> 'status' from jsonb_array_elements(enforcement_forecast) with ordinality as steps (step, at)
              where (step ->> 'from')::timestamptz <= ${now} order by at desc limit 1) end, 'UNKNOWN')`;

/** Newest first. */
export const listRuntimes = (
  tx: TenantTransaction,
  organizationId: string,
  { kind, environment_id, agent_id, enforcement, health, status }: RuntimeFilter,
  part: ListedPart,
  now: Date,
): Promise<Listed<CountedRuntime>> => {
  const some = select(tx, organizationId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'SDK_PROGRAM'))
    .$if(environment_id !== undefined, (query) => query.where('environment_id', '=', environment_id ?? ''))
    .$if(agent_id !== undefined, (query) => query.where('agent_id', '=', agent_id ?? ''))
    .$if(health !== undefined, (query) => query.where('health', '=', health ?? 'UNKNOWN'))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'ACTIVE'))
    .$if(enforcement !== undefined, (query) => query.where(sql<boolean>`${statusAt(now)} = ${enforcement}`));
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('id', 'desc').limit(limit).offset(offset).execute() as Promise<CountedRuntime[]>,
    (max) => countUpTo(tx, some, max),
  );
};

export const findRuntime = (tx: TenantTransaction, organizationId: string, id: string): Promise<CountedRuntime | undefined> =>
  select(tx, organizationId).where('id', '=', id).executeTakeFirst() as Promise<CountedRuntime | undefined>;

/** Locks the runtime until the transaction ends, so that two changes of it happen one after the other. */
export const lockRuntime = (tx: TenantTransaction, organizationId: string, id: string): Promise<RuntimeRow | undefined> =>
  tx.selectFrom('runtimes').selectAll().where('organization_id', '=', organizationId).where('id', '=', id).forUpdate().executeTakeFirst();

export const runtimesOfAgent = (tx: TenantTransaction, organizationId: string, agentId: string, limit: number): Promise<RuntimeRow[]> =>
  tx
    .selectFrom('runtimes')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Runtimes of one organization are added one after the other, so that no bound is exceeded. */
export const takeRuntimeTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc runtimes ' || ${organizationId}, 0))`.execute(tx);
};

export const countRuntimes = async (tx: TenantTransaction, organizationId: string, agentId?: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('runtimes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId ?? ''))
    .executeTakeFirstOrThrow();
  return count;
};

export const insertRuntime = async (tx: TenantTransaction, row: Insertable<Tables['runtimes']>): Promise<void> => {
  await tx.insertInto('runtimes').values(row).execute();
};

export const updateRuntimeRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['runtimes']>,
): Promise<void> => {
  await tx.updateTable('runtimes').set(row).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

export type DueRuntime = { readonly organization_id: string; readonly id: string };
type DueColumn = 'falls_at' | 'next_verification_at' | 'operate_due_at';

/** Runtimes of all organizations for which something is due, longest due first. Read as svc_identity. */
export const findDueRuntimes = async (identity: Database, due: DueColumn, now: Date, countMax: number): Promise<DueRuntime[]> =>
  identity
    .selectFrom('runtimes')
    .select(['organization_id', 'id'])
    .where(due, '<=', now.toISOString())
    .where('status', '<>', 'DISCONNECTED')
    .orderBy(due)
    .limit(countMax)
    .execute();
