import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ActionStatus, Effect } from '@svc/contract/tables/vocabulary.ts';
import type { PipelineVerdict } from '../decision/decide.ts';
import type { Claim } from '../facts/claims.ts';
import { type Executors, type GovernedCall, getExecutor } from '../ports/executors.ts';
import type { PipelineEvent } from '../ports/ports.ts';

/** Next step after the decision is recorded, and the recorded status in the meantime. */
export type Course = {
  readonly status: ActionStatus;
  /** The call to make once the decision is recorded. */
  readonly call: GovernedCall | null;
  /** Time that the call may take, in ms. */
  readonly callTimeoutMs?: number;
  readonly execution: Execution | null;
};

const EVALUATE_ONLY: Execution = { state: 'NOT_EXECUTED', reason: 'Evaluation decides and records; execution belongs to the gateway.' };
const SIMULATED: Execution = { state: 'NOT_EXECUTED', reason: 'The environment is in SIMULATE.' };
const BY_AGENT: Execution = { state: 'BY_AGENT' };

const settled = (verdict: PipelineVerdict, status: ActionStatus): ActionStatus => (verdict.mode === 'OBSERVE' ? 'OBSERVED' : status);

const permitted = (verdict: PipelineVerdict, executors: Executors | null): Course => {
  if (executors === null) return { status: settled(verdict, 'ALLOWED'), call: null, execution: EVALUATE_ONLY };
  const { derived, masked } = verdict.learned;
  // OBSERVE sends the unmasked call.
  const call = (masked && verdict.mode !== 'OBSERVE' ? masked.execution : derived?.execution) ?? null;
  if (call === null) return { status: settled(verdict, 'ALLOWED'), call: null, execution: BY_AGENT };
  const executor = getExecutor(executors, call);
  const disabled = executor.disabledFor(call);
  if (disabled !== undefined)
    return { status: settled(verdict, 'ALLOWED'), call: null, execution: { state: 'NOT_EXECUTED', reason: disabled } };
  const { credential } = verdict.learned;
  return {
    status: 'EXECUTING',
    call: credential ? { ...call, credential } : call,
    callTimeoutMs: executor.timeoutMs(call),
    execution: null,
  };
};

/** True if SIMULATE answers what would have happened; not if no mode permits it. */
export const isSimulated = (verdict: PipelineVerdict): boolean => verdict.mode === 'SIMULATE' && !verdict.hard;

/** Returns what follows from a verdict and the environment's mode. */
export const resolveOutcome = (verdict: PipelineVerdict, executors: Executors | null): Course => {
  if (isSimulated(verdict)) return { status: 'SIMULATED', call: null, execution: SIMULATED };
  if (verdict.outcome === 'allowed') return permitted(verdict, executors);
  return { status: verdict.outcome === 'held' ? 'PENDING_APPROVAL' : 'BLOCKED', call: null, execution: null };
};

const NO_CLAIMS: readonly Claim[] = [];

/** Returns the claims that are taken: all if ENFORCE runs the action now, none if only another mode does. */
export const listTakenClaims = (verdict: PipelineVerdict): readonly Claim[] =>
  verdict.code === null && verdict.mode !== 'SIMULATE' ? (verdict.learned.claims ?? NO_CLAIMS) : NO_CLAIMS;

/** Returns the claims that are only checked before a response states that the action may run. */
export const listCheckedClaims = (verdict: PipelineVerdict): readonly Claim[] =>
  verdict.code === null ? (verdict.learned.claims ?? NO_CLAIMS) : NO_CLAIMS;

const EVENT_OF_EFFECT: Readonly<Record<Effect, PipelineEvent>> = {
  ALLOW: 'action.allowed',
  MASK: 'action.masked',
  LIMIT: 'action.limited',
  REQUIRE_APPROVAL: 'action.allowed',
  BLOCK: 'action.blocked',
};

/** Returns the event of the decision. A used approval makes REQUIRE_APPROVAL an allow. */
export const buildDecisionEvent = (verdict: PipelineVerdict): PipelineEvent => {
  if (isSimulated(verdict)) return 'action.simulated';
  if (verdict.outcome === 'held') return 'action.approval_required';
  if (verdict.outcome === 'refused') return 'action.blocked';
  return verdict.mode === 'OBSERVE' ? 'action.observed' : EVENT_OF_EFFECT[verdict.effect];
};
