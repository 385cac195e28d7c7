import type { ApprovalHint } from '@svc/contract/actions/decisions.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { inForce } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { isAgentAccepted, type PipelineVerdict } from '../decision/decide.ts';
import { execute, undoUnrecorded } from '../execution/execute.ts';
import { explain } from '../explanation/explain.ts';
import type { Claim, LostClaim } from '../facts/claims.ts';
import type { Command } from '../facts/decision-request.ts';
import type { Facts } from '../facts/facts.ts';
import { matchesHash, requestHash } from '../facts/request-hash.ts';
import { failClosed } from '../ports/fail-closed.ts';
import { type FactsRefusal, gatherFacts } from '../ports/gather-facts.ts';
import type { DecisionRecord, Ports } from '../ports/ports.ts';
import { type Course, listCheckedClaims, resolveOutcome } from './action-status.ts';
import { buildResponse, type GovernAnswer } from './answer.ts';
import { getApprovalHint } from './approval-hint.ts';
import { buildRecord } from './build-record.ts';
import { decideFairly } from './decide-in-turn.ts';
import { isCallStillAllowed } from './still-stands.ts';
import { findStop, stopNow } from './stop-now.ts';
import { reportResult } from './tell-watcher.ts';
import { withhold } from './withhold.ts';

/** The first request with this key was already decided; its action holds the response. */
export type ReplayedAction = { readonly replayed: string };

/** Refused before there was a decision, or because none could be made or recorded. */
export type GovernRefusal =
  | FactsRefusal
  | Refusal<'VALIDATION_FAILED' | 'IDEMPOTENCY_KEY_REUSED' | 'AUDIT_SERVICE_UNAVAILABLE' | 'DEPENDENCY_UNAVAILABLE' | 'RATE_LIMITED'>;

export type GovernResult = GovernAnswer | ReplayedAction | GovernRefusal;

const AGAIN = Symbol('the state moved, decide again');
/** A counted ceiling was used up: decide again as a refusal. */
type NoRoom = { readonly lost: LostClaim };
type Settled = GovernResult | typeof AGAIN | NoRoom;

/** Maximum attempts for a state that keeps changing. */
const ATTEMPTS_MAX = 8;

const tooManyWait = (whose: string): Refusal<'RATE_LIMITED'> =>
  buildRefusal(
    'RATE_LIMITED',
    `The ${whose} has the maximum number of pending approvals. Decide some, or withdraw those that are no longer needed.`,
    {
      retry_after_seconds: 60,
    },
  );
const TOO_MANY_WAIT = { agent: tooManyWait('agent'), organization: tooManyWait('organization') } as const;

const TOO_MANY_CONTEXTS: Refusal<'RATE_LIMITED'> = buildRefusal(
  'RATE_LIMITED',
  `The agent has the maximum number of flow contexts with labels, ${RISK_LIMITS.contextsPerAgentMax}. Continue in one of them, or wait until one ends.`,
  { retry_after_seconds: 60 },
);

const getHint = (record: DecisionRecord, remedy: string | null | undefined): ApprovalHint | undefined =>
  record.opens ? getApprovalHint({ ...record.opens, status: 'PENDING', remedy }) : undefined;

/** Checks claims without taking them; counters that cannot be read count as used up. */
const lookAtClaims = async (
  ports: Ports,
  command: Command,
  claims: readonly Claim[],
): Promise<NoRoom | Refusal<'POLICY_SERVICE_UNAVAILABLE'> | undefined> => {
  if (claims.length === 0) return undefined;
  const lost = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () => ports.counters.look(command.organizationId, claims));
  if (lost === null) return undefined;
  return isRefusal(lost) ? lost : { lost };
};

/**
 * Completes a decision that is not recorded (invalid input, dry runs): checks that the state is current, which a write would otherwise do.
 */
const settleUnwritten = async (ports: Ports, command: Command, facts: Facts, verdict: PipelineVerdict): Promise<Settled> => {
  const current = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () =>
    ports.governance.isCurrent(facts.environment, facts.agent),
  );
  if (isRefusal(current)) return current;
  if (!current) return AGAIN;
  if (verdict.code === 'VALIDATION_FAILED') return buildRefusal('VALIDATION_FAILED', verdict.reason, verdict.details);
  const noRoom = await lookAtClaims(ports, command, listCheckedClaims(verdict));
  return noRoom ?? buildResponse(facts, verdict, { command, actionId: null, course: resolveOutcome(verdict, null) });
};

/** Completes a request that is already pending: repeating it opens nothing new. Requires the newest state like any response. */
const settleWaiting = async (ports: Ports, command: Command, facts: Facts, verdict: PipelineVerdict): Promise<Settled> => {
  const current = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () =>
    ports.governance.isCurrent(facts.environment, facts.agent),
  );
  if (isRefusal(current)) return current;
  if (!current) return AGAIN;
  const { approval } = facts;
  const course: Course = { status: 'PENDING_APPROVAL', call: null, execution: null };
  return buildResponse(facts, verdict, {
    command,
    actionId: approval?.action_id ?? null,
    course,
    approval: approval ? getApprovalHint(approval) : undefined,
  });
};

/** Commits the decision, then makes the call, then records the outcome: nothing runs unrecorded. */
const settleWritten = async (ports: Ports, command: Command, facts: Facts, verdict: PipelineVerdict): Promise<Settled> => {
  const course = resolveOutcome(verdict, ports.executors);
  const noRoom = course.status === 'SIMULATED' ? await lookAtClaims(ports, command, listCheckedClaims(verdict)) : undefined;
  if (noRoom) return noRoom;
  const explanation = explain(facts, verdict);
  const record = buildRecord(ports, command, facts, verdict, course, explanation);
  const unavailable = record.opens || record.consumes ? 'APPROVAL_SERVICE_UNAVAILABLE' : 'AUDIT_SERVICE_UNAVAILABLE';
  const written = await failClosed(unavailable, ports, command, () => ports.recorder.record(record));
  if (isRefusal(written)) {
    if (course.call !== null) undoUnrecorded(ports, record);
    return written;
  }
  if (written.outcome === 'replayed')
    return written.same_request ? { replayed: written.action_id } : buildRefusal('IDEMPOTENCY_KEY_REUSED');
  if (written.outcome === 'claim_lost') return { lost: written.lost };
  if (written.outcome === 'contexts_full') return TOO_MANY_CONTEXTS;
  if (written.outcome === 'approvals_full') return TOO_MANY_WAIT[written.whose];
  if (written.outcome !== 'recorded') return AGAIN;
  ports.histories.note(record.action, facts.contexts.key);
  const action = { ...record.action, digest_revision: written.revision ?? 0 };
  const given = { command, actionId: action.id, approval: getHint(record, written.remedy), explanation };
  if (course.call === null) return buildResponse(facts, verdict, { ...given, course });
  command.onCall?.();
  command.watcher?.enter('execute');
  const { call } = course;
  const masks = verdict.learned.policy?.obligations.mask?.result ?? [];
  const mayLeave = () => isCallStillAllowed(ports, command, facts, call);
  const executed = await execute(ports, {
    record: { ...record, action },
    call,
    masks,
    mayLeave,
    blocks: inForce(facts.environment.blocked, ports.clock()),
    traceParent: command.watcher?.traceParent(),
    signal: command.signal,
    onProgress: command.onProgress,
  });
  const after: Course = { status: executed.status, call: null, execution: executed.execution };
  const usable = executed.isUnsent && record.consumes ? record.consumes.id : undefined;
  const answer = buildResponse(facts, verdict, {
    ...given,
    course: after,
    code: executed.code ?? undefined,
    large: executed.large,
    usable,
  });
  // The result on record is not returned to an agent that was stopped during the call.
  if (executed.isOvertaken) ports.governance.forget(facts.environment, facts.agent);
  const stop = executed.isOvertaken ? await stopNow(ports, command) : findStop({ ...facts, now: ports.clock() });
  return stop === undefined ? answer : withhold(answer, stop);
};

/** Returns the response of a resubmission that was already answered, like for any request with a known idempotency key. */
const usedBefore = (
  { idempotency }: Command,
  { approval, agent }: Facts,
): ReplayedAction | Refusal<'IDEMPOTENCY_KEY_REUSED'> | undefined => {
  if (!idempotency || approval?.consumed_by?.key !== idempotency.key || approval.agent_id !== agent.agent_id) return undefined;
  return matchesHash(approval.consumed_by.hash, idempotency.hash)
    ? { replayed: approval.action_id }
    : buildRefusal('IDEMPOTENCY_KEY_REUSED');
};

const settleUsed = async (ports: Ports, command: Command, facts: Facts): Promise<Settled> => {
  const current = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () =>
    ports.governance.isCurrent(facts.environment, facts.agent),
  );
  if (isRefusal(current)) return current;
  return current ? (usedBefore(command, facts) ?? AGAIN) : AGAIN;
};

const isUnwritten = (command: Command, verdict: PipelineVerdict): boolean =>
  command.request.dry_run === true || verdict.code === 'VALIDATION_FAILED';

const getSettler = (command: Command, facts: Facts, verdict: PipelineVerdict) => {
  if (isUnwritten(command, verdict)) return settleUnwritten;
  if (verdict.waitsFor !== undefined && verdict.mode === 'ENFORCE') return settleWaiting;
  return usedBefore(command, facts) && isAgentAccepted(verdict) ? settleUsed : settleWritten;
};

/** True if the state that no decision could be made on has been repaired since. */
const hasMoved = async (ports: Ports, command: Command, { environment, agent }: Facts): Promise<boolean> =>
  (await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () => ports.governance.isCurrent(environment, agent))) === false;

type Attached = { readonly attachTo: string };
const isAttached = (settled: Settled | Attached): settled is Attached =>
  typeof settled === 'object' && settled !== null && 'attachTo' in settled;

const isAttachable = ({ attach, request }: Command, { outcome, mode, waitsFor }: PipelineVerdict): boolean =>
  attach !== undefined && request.approval_id === undefined && outcome === 'held' && mode === 'ENFORCE' && waitsFor === undefined;

/** Looks for an open approval of an identical request before one is opened. Identical requests in this process wait for each other. */
const settleAttached = (
  ports: Ports,
  command: Command,
  { facts, verdict }: { readonly facts: Facts; readonly verdict: PipelineVerdict },
  settle: () => Promise<Settled>,
): Promise<Settled | Attached> => {
  const { attach, organizationId } = command;
  const { agent_id } = facts.agent;
  const hash = requestHash(facts, verdict.learned);
  const work = async (): Promise<Settled | Attached> => {
    const found = await failClosed('APPROVAL_SERVICE_UNAVAILABLE', ports, command, () =>
      ports.approvals.findOpen(organizationId, agent_id, hash),
    );
    if (isRefusal(found)) return found;
    return found === null ? settle() : { attachTo: found };
  };
  return attach === undefined ? work() : attach(hash.keyed, work);
};

/** Decides one request on the newest state, records it and executes it if permitted. Used by every entry point. */
export const govern = async (ports: Ports, command: Command): Promise<GovernResult> => {
  const { watcher } = command;
  // A used-up ceiling stays so for this request, so that two such ceilings do not alternate forever.
  let lost: readonly LostClaim[] = [];
  let asked = command;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    watcher?.enter('facts');
    const found = gatherFacts(ports, asked);
    const gathered = found instanceof Promise ? await found : found;
    if (isRefusal(gathered)) return reportResult(command, gathered);
    const facts: Facts = lost.length > 0 ? { ...gathered, lost } : gathered;
    watcher?.enter('decide');
    const deciding = decideFairly(ports, asked, facts, found instanceof Promise || attempt > 0);
    const verdict = deciding instanceof Promise ? await deciding : deciding;
    if (isRefusal(verdict)) {
      if (!(await hasMoved(ports, command, facts))) return reportResult(command, verdict);
      watcher?.repeat('moved');
      ports.governance.forget(facts.environment, facts.agent);
      continue;
    }
    watcher?.enter('record');
    const settle = (): Promise<Settled> => getSettler(asked, facts, verdict)(ports, asked, facts, verdict);
    const settled = isAttachable(asked, verdict) ? await settleAttached(ports, asked, { facts, verdict }, settle) : await settle();
    if (isAttached(settled)) {
      asked = { ...asked, request: { ...asked.request, approval_id: settled.attachTo } };
      continue;
    }
    if (settled !== AGAIN && !('lost' in settled)) return reportResult(command, settled);
    watcher?.repeat(settled === AGAIN ? 'moved' : 'no_room');
    lost = settled === AGAIN ? [] : [...lost, settled.lost];
    if (settled !== AGAIN) continue;
    ports.governance.forget(facts.environment, facts.agent);
  }
  return reportResult(
    command,
    buildRefusal('DEPENDENCY_UNAVAILABLE', 'The governance state kept changing during the decision. Try again.'),
  );
};
