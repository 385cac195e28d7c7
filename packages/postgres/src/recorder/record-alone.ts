import { LIMITS } from '@svc/contract/tables/limits.ts';
import { ACTION } from '@svc/domain/events/audit-log/record-kinds/action.ts';
import { isContinuation } from '@svc/enforcement/facts/facts.ts';
import type { ActionRecord, DecisionRecord, RecordOutcome } from '@svc/enforcement/ports/ports.ts';
import { type RawBuilder, sql } from 'kysely';
import { findRemedy } from '../actions/approvals/exclusions.ts';
import { about } from '../audit/about.ts';
import { appendEvents } from '../audit/append-events.ts';
import type { EmittedEvent } from '../audit/emitted-event.ts';
import { readRecords } from '../audit/records/read-records.ts';
import type { Database } from '../connection/connect.ts';
import { inTenant, type TenantTransaction } from '../connection/in-tenant.ts';
import { growContext } from '../risk/grow-context.ts';
import { askToTake, type ClaimRow } from './ask-claims.ts';
import type { EventDigests } from './digest-events.ts';
import { type FirstUse, findFirstUse } from './find-first-use.ts';

/**
 * True inside a statement while both epochs of the decision are the newest. With `held` the agent's epoch is locked until the transaction
 * ends:
 * a concurrent end of the agent waits, and then finds what was opened for it.
 */
const epochsStand = (action: ActionRecord, held = false): RawBuilder<boolean> => sql`exists (
  select from environment_epochs e join agent_epochs a on a.organization_id = e.organization_id and a.environment_id = e.environment_id
   where e.organization_id = ${action.organization_id} and e.environment_id = ${action.environment_id} and e.epoch = ${action.environment_epoch}
     and a.agent_id = ${action.agent_id} and a.epoch = ${action.agent_epoch} ${sql.raw(held ? 'for share of a' : '')})`;

/** A key that used up an approval of this agent belongs to that resubmission, though the action it continued has a key of its own. */
const isKeyOfResubmission = (a: ActionRecord): RawBuilder<boolean> => sql`(${a.idempotency_key}::text is not null and exists (
  select from approvals p where p.organization_id = ${a.organization_id} and p.agent_id = ${a.principal_id}
     and p.consumed_by_key = ${a.idempotency_key}))`;

/** The end of the lease on an action that is executed now; null for any other. */
const heldUntil = ({ action, callTimeoutMs }: DecisionRecord, afterCallMs: number): RawBuilder<unknown> =>
  sql`case when ${action.status}::text = 'EXECUTING' then now() + interval '1 millisecond' * ${(callTimeoutMs ?? 0) + afterCallMs} end`;

const insertAction = async (
  tx: TenantTransaction,
  record: DecisionRecord,
  afterCallMs: number,
): Promise<{ stands: boolean; inserted: boolean }> => {
  const { action: a, opens } = record;
  const hash = a.idempotency_hash === null ? null : Buffer.from(a.idempotency_hash, 'hex');
  const { rows } = await sql<{ stands: boolean; inserted: boolean }>`
    with fence as materialized (select ${epochsStand(a, opens !== null)} as stands), inserted as (
      insert into actions (organization_id, id, environment_id, workspace_id, agent_id, agent_name, tool_id, tool, principal_type,
        principal_id, decision, status, mode, code, reason, amount, currency, destination, parameters, explanation, execution, approval_id,
        request_id, trace_id, idempotency_key, idempotency_hash, environment_epoch, agent_epoch, created_at, completed_at,
        declaration_version, request_hmac, digest_salt, held_until)
      select ${a.organization_id}, ${a.id}, ${a.environment_id}, ${a.workspace_id}, ${a.agent_id}, ${a.agent_name}, ${a.tool_id}, ${a.tool},
        ${a.principal_type}, ${a.principal_id}, ${a.decision}, ${a.status}, ${a.mode}, ${a.code}, ${a.reason}, ${a.amount}::bigint, ${a.currency},
        ${a.destination}, ${a.parameters_json}::json, ${a.explanation_json}::json, ${a.execution_json}::json, ${a.approval_id},
        ${a.request_id}, ${a.trace_id}, ${a.idempotency_key}, ${hash}::bytea, ${a.environment_epoch}::bigint, ${a.agent_epoch}::bigint,
        ${a.created_at}::timestamptz, ${a.completed_at}::timestamptz, ${a.declaration_version}::bigint, decode(${a.request_hmac}, 'hex'),
        decode(${a.digest_salt}, 'hex'), ${heldUntil(record, afterCallMs)}
       from fence where stands and not (${isKeyOfResubmission(a)})
      on conflict (organization_id, principal_id, idempotency_key) where idempotency_key is not null do nothing
      returning id)
    select (select stands from fence) as stands, exists (select from inserted) as inserted`.execute(tx);
  return rows[0] ?? { stands: false, inserted: false };
};

/**
 * Uses up the approval and continues its held action, in one statement: of concurrent uses one finds it still approved. The row takes the
 * values of
 * the running request, whose hash was approved: a change of the row while it was held is not covered by the digest.
 */
const consumeApproval = async (tx: TenantTransaction, record: DecisionRecord, afterCallMs: number): Promise<boolean> => {
  const { action: a, consumes } = record;
  const hash = a.idempotency_hash === null ? null : Buffer.from(a.idempotency_hash, 'hex');
  const { rows } = await sql<{ id: string }>`
    with consumed as (
      update approvals set status = 'CONSUMED', consumed_at = ${a.created_at}, consumed_by_key = ${a.idempotency_key}, consumed_by_hash = ${hash},
             consumed_request_id = ${a.request_id}, consumed_trace_id = ${a.trace_id}
       where organization_id = ${a.organization_id} and id = ${consumes?.id} and agent_id = ${a.agent_id} and status = 'APPROVED'
         and restored_at is null
         and approved_by is not distinct from ${consumes?.approved_by ?? null}::text[]
         and expires_at > now() and request_hash = decode(${consumes?.request_hash}, 'hex') and ${epochsStand(a)}
      returning action_id)
    update actions set amount = ${a.amount}::bigint, currency = ${a.currency}, destination = ${a.destination}, parameters = ${a.parameters_json}::json,
      decision = ${a.decision}, status = ${a.status}, mode = ${a.mode}, code = ${a.code}, reason = ${a.reason},
      explanation = ${a.explanation_json}::json, execution = ${a.execution_json}::json, environment_epoch = ${a.environment_epoch},
      agent_epoch = ${a.agent_epoch}, completed_at = ${a.completed_at}, declaration_version = ${a.declaration_version},
      request_hmac = decode(${a.request_hmac}, 'hex'), digest_salt = decode(${a.digest_salt}, 'hex'), digest_revision = digest_revision + 1,
      held_until = ${heldUntil(record, afterCallMs)}
     from consumed where actions.organization_id = ${a.organization_id} and actions.id = consumed.action_id
    returning actions.id`.execute(tx);
  return rows.length === 1;
};

/** Uses the approval for an action of its own, which is inserted: the record of the unsent call stays unchanged. */
const consumeRestored = async (tx: TenantTransaction, { action: a, consumes }: DecisionRecord): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    update approvals set status = 'CONSUMED', used_by_action_id = ${a.id}
     where organization_id = ${a.organization_id} and id = ${consumes?.id} and agent_id = ${a.agent_id} and status = 'APPROVED'
       and approved_by is not distinct from ${consumes?.approved_by ?? null}::text[] and restored_at is not null
       and expires_at > now() and request_hash = decode(${consumes?.request_hash}, 'hex') and ${epochsStand(a)}
    returning id`.execute(tx);
  return rows.length === 1;
};

const tellEvents = ({ action: a, events }: DecisionRecord): EmittedEvent[] => {
  const actor = { type: a.principal_type, id: a.principal_id, name: a.principal_name };
  const { organization_id, created_at: occurred_at, request_id, trace_id } = a;
  const shared = { organization_id, occurred_at, actor, request_id, trace_id };
  const subjects = { action: about.action(a), approval: about.approval({ ...a, id: a.approval_id ?? a.id }) };
  return events.map((event) => ({ ...subjects[event.about], ...shared, id: event.id, type: event.type, data: event.data }));
};

/** The additional approvers, and when the first escalation is due. */
const besides = ({ approver_groups }: NonNullable<DecisionRecord['opens']>) => {
  if (!approver_groups) return {};
  const [first] = approver_groups.flatMap(({ escalates_at }) => escalates_at ?? []).toSorted();
  return { approver_groups: JSON.stringify(approver_groups), escalates_at: first ?? null };
};

/** Carries out of a transaction, which it undoes, why nothing was recorded. */
class NotRecorded extends Error {
  readonly outcome: RecordOutcome;
  constructor(outcome: RecordOutcome) {
    super('not recorded');
    this.outcome = outcome;
  }
}

const { pendingPerAgentMax, pendingPerOrganizationMax } = LIMITS.approvals;

/** Counted no further than the bound. Requests of the same moment do not see each other, so it is exceeded by as many at most as are recorded at once. */
const mustHaveRoom = async (tx: TenantTransaction, { organization_id, agent_id }: ActionRecord): Promise<void> => {
  const waiting = (of: RawBuilder<unknown>, max: number) => sql<number>`(
    select count(*)::int from (select from approvals
      where organization_id = ${organization_id} and ${of} and status = 'PENDING' and expires_at > now() limit ${max}::integer) as one)`;
  const { rows } = await sql<{ agent: number; organization: number }>`
    select ${waiting(sql`agent_id = ${agent_id}`, pendingPerAgentMax)} as agent,
           ${waiting(sql`true`, pendingPerOrganizationMax)} as organization`.execute(tx);
  const [count] = rows;
  if (count === undefined || count.agent >= pendingPerAgentMax) throw new NotRecorded({ outcome: 'approvals_full', whose: 'agent' });
  if (count.organization >= pendingPerOrganizationMax) throw new NotRecorded({ outcome: 'approvals_full', whose: 'organization' });
};

/** Returns who authorized the agent for the tool, or granted it the capability that the tool requires. */
const authorizers = ({ organization_id, agent_id, tool_id }: ActionRecord) => sql<string[]>`array(
  select g.authorized_by from tool_agents g where g.organization_id = ${organization_id} and g.agent_id = ${agent_id} and g.tool_id = ${tool_id}
   union
  select c.granted_by from agent_capabilities c join tools t on t.organization_id = c.organization_id and t.required_capability = c.capability
   where c.organization_id = ${organization_id} and c.agent_id = ${agent_id} and t.id = ${tool_id})`;

/** Opens the approval of a held decision. Returns a remedy if no one can approve it. */
const openApproval = async (tx: TenantTransaction, { action: a, opens }: DecisionRecord): Promise<string | null> => {
  if (!opens) return null;
  await mustHaveRoom(tx, a);
  await tx
    .insertInto('approvals')
    .values({
      organization_id: a.organization_id,
      id: opens.id,
      action_id: a.id,
      agent_id: a.agent_id,
      environment_id: a.environment_id,
      workspace_id: a.workspace_id,
      request_hash: Buffer.from(opens.request_hash, 'hex'),
      requested_by_type: a.principal_type,
      requested_by_id: a.principal_id,
      approver_roles: [...opens.approver_roles],
      role_quorums: [...opens.role_quorums],
      ...besides(opens),
      quorum: opens.quorum,
      step_up: opens.step_up,
      reason: a.reason,
      requested_at: a.created_at,
      expires_at: opens.expires_at,
      asked_labels: [...opens.asked_labels],
      authorized_by: authorizers(a),
    })
    .execute();
  return findRemedy(tx, opens.id);
};

const askEpochs = async (tx: TenantTransaction, a: ActionRecord): Promise<boolean> => {
  const { rows } = await sql<{ stands: boolean }>`select ${epochsStand(a)} as stands`.execute(tx);
  return rows[0]?.stands ?? false;
};

const takeClaims = async (tx: TenantTransaction, record: DecisionRecord): Promise<void> => {
  if (record.claims.length === 0) return;
  const asked = askToTake([record], 'key_is_known');
  const { rows } = await sql<ClaimRow>`select * from svc_take_claims(${asked.json}::jsonb)`.execute(tx);
  const [row] = rows;
  if (row?.outcome === 'taken') return;
  throw new NotRecorded(row?.outcome === 'lost' ? { outcome: 'claim_lost', lost: asked.lostOf(row) } : { outcome: 'moved' });
};

/**
 * Returns the first use of a resubmission's key. No index covers both columns of a key, so concurrent uses of approvals
 * with one key are serialized.
 */
const firstUseInTurn = async (tx: TenantTransaction, action: ActionRecord): Promise<FirstUse | undefined> => {
  const { organization_id, principal_id, idempotency_key } = action;
  if (idempotency_key === null) return undefined;
  const key = JSON.stringify(['svc key of', organization_id, principal_id, idempotency_key]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
  return await findFirstUse(tx, action);
};

type Terms = { readonly afterCallMs: number; readonly digests: EventDigests };

/** The decision that continues a held action, with the digests of the row that it leaves. */
const continued = async (
  tx: TenantTransaction,
  record: DecisionRecord,
  digests: EventDigests,
): Promise<{ readonly told: DecisionRecord; readonly revision: number }> => {
  const { organization_id, id } = record.action;
  const row = (await readRecords(tx, organization_id, ACTION, [id])).get(id);
  if (row === undefined) throw new Error('a held action is not there after it was continued');
  return { told: digests.ofContinued(record, row), revision: Number(row.columns.digest_revision) };
};

const write = async (tx: TenantTransaction, record: DecisionRecord, { afterCallMs, digests }: Terms): Promise<RecordOutcome> => {
  if (record.consumes) {
    const first = await firstUseInTurn(tx, record.action);
    if (first) return (await askEpochs(tx, record.action)) ? first : { outcome: 'moved' };
    const isUsed = await (isContinuation(record.consumes) ? consumeApproval(tx, record, afterCallMs) : consumeRestored(tx, record));
    if (!isUsed) return { outcome: 'approval_lost' };
  }
  if (!isContinuation(record.consumes)) {
    const { stands, inserted } = await insertAction(tx, record, afterCallMs);
    if (!stands) throw new NotRecorded({ outcome: 'moved' });
    if (!inserted) throw new NotRecorded((await findFirstUse(tx, record.action)) ?? { outcome: 'moved' });
  }
  const remedy = await openApproval(tx, record);
  const { told, revision } = isContinuation(record.consumes) ? await continued(tx, record, digests) : { told: record, revision: 0 };
  await appendEvents(tx, tellEvents(told));
  if (record.grows && !(await growContext(tx, record.action, record.grows))) throw new NotRecorded({ outcome: 'contexts_full' });
  // Last, so that decisions with the same counters wait for the commit and for nothing else.
  await takeClaims(tx, record);
  return { outcome: 'recorded', remedy, revision };
};

/** The single path of decisions that open an approval or use one up. `afterCallMs`: from the end of a call's time to the end of its lease. */
export const recordAlone = async (database: Database, record: DecisionRecord, terms: Terms): Promise<RecordOutcome> => {
  try {
    return await inTenant(database, { organization_id: record.action.organization_id }, (tx) => write(tx, record, terms));
  } catch (error) {
    if (error instanceof NotRecorded) return error.outcome;
    throw error;
  }
};
