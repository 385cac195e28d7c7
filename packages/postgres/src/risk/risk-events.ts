import type { RiskEvent, RiskVerdict } from '@svc/contract/risk/risk-events.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { sql } from 'kysely';
import type { FeedTransaction } from '../audit/feed-positions.ts';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../lists/listed.ts';

/** A finding of a signal in one or more decisions, which a job counts in a risk event. */
export type RiskNotice = {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly agent_id: string;
  readonly signal: string;
  readonly subject: string;
  readonly points: number;
  readonly score: number;
  readonly sentence: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly last_action_id: string | null;
};

/** Leaves findings for the job, those of the same agent, signal and subject counted together. */
export const leaveRiskNotices = async (tx: FeedTransaction, notices: readonly RiskNotice[]): Promise<void> => {
  if (notices.length === 0) return;
  await sql`
    insert into risk_notices as k (organization_id, workspace_id, environment_id, agent_id, signal, subject, points, score, sentence, evidence,
      count, first_at, last_at, last_action_id)
    select organization_id, workspace_id, environment_id, agent_id, signal, subject, points, score, sentence, evidence, count, first_at, last_at,
           last_action_id
      from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as n (organization_id text, workspace_id text, environment_id text,
        agent_id text, signal text, subject text, points int, score int, sentence text, evidence jsonb, count bigint, first_at timestamptz,
        last_at timestamptz, last_action_id text)
    on conflict (organization_id, agent_id, signal, subject) do update set count = k.count + excluded.count, last_at = excluded.last_at,
      score = greatest(k.score, excluded.score), points = excluded.points, sentence = excluded.sentence, evidence = excluded.evidence,
      last_action_id = excluded.last_action_id`.execute(tx);
};

/** Organizations with findings to count, or with events that did not happen again. */
export const findOrganizationsWithRisk = async (identity: Database, now: Date): Promise<string[]> => {
  const stale = new Date(now.getTime() - RISK_LIMITS.staleEventAfterMs);
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from risk_notices
     union select distinct organization_id from risk_events where status = 'OPEN' and last_at < ${stale}`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};

/** Takes findings of an organization. */
export const takeRiskNotices = async (tx: TenantTransaction, organizationId: string, limit: number): Promise<RiskNotice[]> => {
  const { rows } = await sql<RiskNotice>`
    delete from risk_notices n using (select agent_id, signal, subject from risk_notices where organization_id = ${organizationId}
      order by first_at limit ${limit} for update skip locked) t
     where n.organization_id = ${organizationId} and n.agent_id = t.agent_id and n.signal = t.signal and n.subject = t.subject
    returning n.organization_id, n.workspace_id, n.environment_id, n.agent_id, n.signal, n.subject, n.points, n.score, n.sentence, n.evidence,
              n.count::int as count, n.first_at, n.last_at, n.last_action_id`.execute(tx);
  return rows;
};

/** Counts a finding in the open event of its agent, signal and subject. Returns false if there is none. */
export const countRiskEvent = async (tx: TenantTransaction, notice: RiskNotice): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('risk_events')
    .set({
      count: sql<number>`count + ${notice.count}`,
      last_at: notice.last_at,
      points: notice.points,
      score: sql<number>`greatest(score, ${notice.score}::int)`,
      sentence: notice.sentence,
      evidence: JSON.stringify(notice.evidence),
      last_action_id: notice.last_action_id,
    })
    .where('organization_id', '=', notice.organization_id)
    .where('agent_id', '=', notice.agent_id)
    .where('signal', '=', notice.signal)
    .where('subject', '=', notice.subject)
    .where('status', '=', 'OPEN')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Numbers that bound new events. */
export const countOpenRisk = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  since: Date,
): Promise<{ readonly ofAgent: number; readonly ofOrganization: number }> => {
  const { rows } = await sql<{ of_agent: number; of_organization: number }>`
    select (select count(*)::int from risk_events where organization_id = ${organizationId} and agent_id = ${agentId} and status = 'OPEN') as of_agent,
           (select count(*)::int from risk_events where organization_id = ${organizationId} and first_at > ${since}) as of_organization`.execute(
    tx,
  );
  return { ofAgent: rows[0]?.of_agent ?? 0, ofOrganization: rows[0]?.of_organization ?? 0 };
};

export const insertRiskEvent = async (tx: TenantTransaction, id: string, { evidence, ...notice }: RiskNotice): Promise<void> => {
  await tx
    .insertInto('risk_events')
    .values({ id, ...notice, evidence: JSON.stringify(evidence) })
    .execute();
};

/** Closes events that did not happen again for a day. */
export const closeStaleRisk = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<void> => {
  await tx
    .updateTable('risk_events')
    .set({ status: 'STALE' })
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'OPEN')
    .where('last_at', '<', new Date(now.getTime() - RISK_LIMITS.staleEventAfterMs).toISOString())
    .execute();
};

const COLUMNS = [
  ...([
    'id',
    'agent_id',
    'workspace_id',
    'environment_id',
    'signal',
    'subject',
    'points',
    'score',
    'sentence',
    'evidence',
    'count',
  ] as const),
  ...(['first_at', 'last_at', 'last_action_id', 'status', 'verdict', 'comment', 'acknowledged_by', 'acknowledged_at'] as const),
] as const;

type Row = Omit<RiskEvent, 'status' | 'verdict' | 'count' | 'evidence'> & {
  readonly status: string;
  readonly verdict: string | null;
  readonly count: number | string;
  readonly evidence: unknown;
};

const asRiskEvent = (row: Row): RiskEvent => ({ ...row, count: Number(row.count) }) as RiskEvent;

export type RiskEventFilter = {
  readonly status?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly environment_id?: string | undefined;
  readonly signal?: string | undefined;
};

/** Risk events, most recent first. */
export const listRiskEvents = (
  tx: TenantTransaction,
  organizationId: string,
  filter: RiskEventFilter,
  part: ListedPart,
): Promise<Listed<RiskEvent>> => {
  let query = tx.selectFrom('risk_events').select(COLUMNS).where('organization_id', '=', organizationId);
  for (const name of ['status', 'agent_id', 'environment_id', 'signal'] as const) {
    const value = filter[name];
    if (value !== undefined) query = query.where(name, '=', value);
  }
  return listed(
    part,
    async ({ limit, offset }) =>
      (await query.orderBy('last_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()).map((row) =>
        asRiskEvent(row as Row),
      ),
    (max) => countUpTo(tx, query, max),
  );
};

export const findRiskEvent = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  lock = false,
): Promise<RiskEvent | undefined> => {
  const query = tx.selectFrom('risk_events').select(COLUMNS).where('organization_id', '=', organizationId).where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row && asRiskEvent(row as Row);
};

export type Acknowledgement = {
  readonly verdict: RiskVerdict;
  readonly comment: string | null;
  readonly acknowledged_by: string;
  readonly acknowledged_at: Date;
};

export const acknowledgeRisk = async (tx: TenantTransaction, organizationId: string, id: string, given: Acknowledgement): Promise<void> => {
  await tx
    .updateTable('risk_events')
    .set({ ...given, status: 'ACKNOWLEDGED' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

export type RiskMute = Pick<RiskEvent, 'workspace_id' | 'environment_id' | 'agent_id' | 'signal' | 'subject'> & {
  readonly organization_id: string;
  readonly muted_until: Date;
  readonly risk_event_id: string;
  readonly created_by: string;
  readonly created_at: Date;
};

/** Creates an exception, or changes the end of the existing one. */
export const putRiskMute = async (tx: TenantTransaction, mute: RiskMute): Promise<void> => {
  const { muted_until, risk_event_id, created_by, created_at } = mute;
  await tx
    .insertInto('risk_mutes')
    .values(mute)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'agent_id', 'signal', 'subject'])
        .doUpdateSet({ muted_until, risk_event_id, created_by, created_at }),
    )
    .execute();
};

/** History of an agent as it is stored, the exceptions that apply, and how far histories are folded. */
export const readAgentRisk = async (tx: TenantTransaction, organizationId: string, agentId: string, now: Date) => {
  const conduct = await tx
    .selectFrom('agent_conduct')
    .select('state')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  const mutes = await tx
    .selectFrom('risk_mutes')
    .select(['signal', 'subject', 'muted_until as until', 'created_by'])
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('muted_until', '>', now.toISOString())
    .orderBy('muted_until')
    .limit(200)
    .execute();
  const progress = await tx.selectFrom('conduct_progress').select('folded_through').executeTakeFirst();
  return { state: conduct?.state ?? null, mutes, folded_through: progress?.folded_through ?? null };
};

/** Locks the history of an agent for a change. The feed consumer waits for it. */
export const lockConduct = async (tx: TenantTransaction, organizationId: string, agentId: string): Promise<Uint8Array | undefined> =>
  (
    await tx
      .selectFrom('agent_conduct')
      .select('state')
      .where('organization_id', '=', organizationId)
      .where('agent_id', '=', agentId)
      .forUpdate()
      .executeTakeFirst()
  )?.state;

export const updateConduct = async (tx: TenantTransaction, organizationId: string, agentId: string, state: Uint8Array): Promise<void> => {
  await tx
    .updateTable('agent_conduct')
    .set({ state: Buffer.from(state), version: sql<number>`version + 1` })
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .execute();
};
