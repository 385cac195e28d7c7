import type { RecordedOutcome } from '@svc/enforcement/ports/ports.ts';
import { sql } from 'kysely';
import { about } from '../audit/about.ts';
import { appendEvents } from '../audit/append-events.ts';
import type { Database } from '../connection/connect.ts';
import { inTenant, type TenantTransaction } from '../connection/in-tenant.ts';
import { buildGiveBack } from './ask-claims.ts';
import type { EventDigests } from './digest-events.ts';
import { getReleaseTime, type OutcomeRow, type OutcomeStands, resolveOutcomeState } from './record-outcomes.ts';

type Unsent = OutcomeRow & { readonly givesBack: NonNullable<RecordedOutcome['givesBack']> };

/** True for an outcome that gives something back. */
export const isGivingBack = (outcome: OutcomeRow): outcome is Unsent => outcome.givesBack !== null;

type Locked = {
  readonly status: string;
  readonly same_time: boolean | null;
  readonly digest_salt: string;
  readonly digest_revision: number;
};

const lockAction = async (tx: TenantTransaction, outcome: OutcomeRow): Promise<Locked | undefined> => {
  const { rows } = await sql<Locked>`
    select status, completed_at = ${outcome.completed_at}::timestamptz as same_time, encode(digest_salt, 'hex') as digest_salt, digest_revision::int
      from actions
     where organization_id = ${outcome.organization_id} and id = ${outcome.id} for update`.execute(tx);
  return rows[0];
};

const closeAction = async (tx: TenantTransaction, { givesBack, ...outcome }: Unsent): Promise<void> => {
  const { freesKey } = givesBack;
  // A held action keeps the key of its first request: the use has another key, which its approval stores.
  const freesOwnKey = sql`${freesKey} and not exists (
    select from approvals p where p.organization_id = ${outcome.organization_id} and p.action_id = ${outcome.id})`;
  await sql`
    update actions set status = ${outcome.status}, code = ${outcome.code}, execution = ${outcome.execution}::json,
           completed_at = ${outcome.completed_at}, digest_revision = digest_revision + 1, given_back_at = ${getReleaseTime({ ...outcome, givesBack })},
           idempotency_key = case when ${freesOwnKey} then null else idempotency_key end,
           idempotency_hash = case when ${freesOwnKey} then null else idempotency_hash end
     where organization_id = ${outcome.organization_id} and id = ${outcome.id}`.execute(tx);
};

/** Makes the approval usable again, if this action is the one that used it and nothing ended the approval meanwhile. */
const restoreApproval = async (tx: TenantTransaction, { organization_id, id, givesBack, completed_at }: Unsent): Promise<boolean> => {
  const { approval, freesKey } = givesBack;
  if (approval === null) return false;
  const { rows } = await sql`
    update approvals set status = 'APPROVED', restored_at = ${completed_at},
           consumed_by_key = case when ${freesKey} and action_id = ${id} then null else consumed_by_key end,
           consumed_by_hash = case when ${freesKey} and action_id = ${id} then null else consumed_by_hash end
     where organization_id = ${organization_id} and id = ${approval.id} and coalesce(used_by_action_id, action_id) = ${id}
       and status = 'CONSUMED' and restorable and expires_at > now()
    returning id`.execute(tx);
  return rows.length === 1;
};

const appendOutcome = (tx: TenantTransaction, outcome: Unsent, isRestored: boolean): Promise<void> => {
  const { organization_id, completed_at: occurred_at, request_id, trace_id, events, givesBack } = outcome;
  const actor = { type: outcome.principal_type, id: outcome.principal_id, name: outcome.principal_name };
  const shared = { organization_id, occurred_at, actor, request_id, trace_id };
  const { approval } = givesBack;
  const ofAction = events.map((event) => ({ ...about.action(outcome), ...shared, id: event.id, type: event.type, data: event.data }));
  if (approval === null || !isRestored) return appendEvents(tx, ofAction);
  const { id, type, data } = approval.restored;
  return appendEvents(tx, [...ofAction, { ...about.approval({ ...outcome, id: approval.id }), ...shared, id, type, data }]);
};

const giveBack = async (tx: TenantTransaction, { id, givesBack }: Unsent): Promise<void> => {
  if (givesBack.claims.length === 0) return;
  await sql`select svc_give_back_claims(${id}, ${buildGiveBack(givesBack.claims)}::jsonb)`.execute(tx);
};

const areEpochsCurrent = async (tx: TenantTransaction, outcome: OutcomeRow): Promise<boolean> => {
  const { rows } = await sql`
    select from environment_epochs e join agent_epochs g on g.organization_id = e.organization_id and g.environment_id = e.environment_id
     where e.organization_id = ${outcome.organization_id} and e.environment_id = ${outcome.environment_id}
       and e.epoch = ${outcome.environment_epoch} and g.agent_id = ${outcome.agent_id} and g.epoch = ${outcome.agent_epoch}`.execute(tx);
  return rows.length === 1;
};

/** True unless the action runs for another use of its approval: the decision of this outcome is then not on record. */
const isOwnUse = async (tx: TenantTransaction, { organization_id, id, request_id, givesBack }: Unsent): Promise<boolean> => {
  if (givesBack.approval === null) return true;
  const { rows } = await sql`
    select from approvals where organization_id = ${organization_id} and id = ${givesBack.approval.id}
       and (action_id <> ${id} or consumed_request_id = ${request_id})`.execute(tx);
  return rows.length === 1;
};

const write = async (tx: TenantTransaction, outcome: Unsent, digests: EventDigests): Promise<OutcomeStands> => {
  const action = await lockAction(tx, outcome);
  if (!(await isOwnUse(tx, outcome))) return 'missing';
  if (action?.status !== 'EXECUTING') {
    const stands = resolveOutcomeState(outcome, action);
    return stands === 'recorded' && !(await areEpochsCurrent(tx, outcome)) ? 'overtaken' : stands;
  }
  await closeAction(tx, outcome);
  // The revision is that of the locked row: after an unconfirmed commit, the recorder does not know it.
  const digested = digests.ofOutcome({ ...action, organization_id: outcome.organization_id, id: outcome.id }, outcome);
  await appendOutcome(tx, digested, await restoreApproval(tx, outcome));
  // Last, since other decisions wait for the counters until the commit.
  await giveBack(tx, outcome);
  return (await areEpochsCurrent(tx, outcome)) ? 'recorded' : 'overtaken';
};

/**
 * Records the outcome of a call of which no byte was sent, and gives back what its decision used, in one transaction: either both are on record
 * or neither is. Repeating it after a lost response changes nothing.
 */
export const recordUnsent = (database: Database, outcome: Unsent, digests: EventDigests): Promise<OutcomeStands> =>
  inTenant(database, { organization_id: outcome.organization_id }, (tx) => write(tx, outcome, digests));
