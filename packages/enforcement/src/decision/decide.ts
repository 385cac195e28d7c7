import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import type { Effect, Mode } from '@svc/contract/tables/vocabulary.ts';
import type { Deciding } from '../facts/decision-request.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import type { Held, Refused, Stage, StageAnswer } from '../facts/stage.ts';
import { type PipelineCode, STAGES } from '../pipeline.ts';
import { PASSED_BY } from './all-passed.ts';

/** Verdict of the pipeline on one request. Nothing has been written or executed yet. */
export type PipelineVerdict = {
  readonly outcome: 'allowed' | 'refused' | 'held';
  readonly effect: Effect;
  readonly mode: Mode;
  /** Null if allowed without changes. */
  readonly code: PipelineCode | null;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly findings: readonly StageFinding[];
  readonly learned: Learned;
  /** Refused by a check that no mode relaxes: SIMULATE and OBSERVE refuse like ENFORCE. */
  readonly hard: boolean;
  /** OBSERVE permitted something that ENFORCE would have stopped. */
  readonly relaxed: boolean;
  /** A pending approval of the request. */
  readonly waitsFor: string | undefined;
};

type Stop = Refused<PipelineCode> | Held;
type Walk = { findings: StageFinding[]; learned: Learned; stop: Stop | undefined; relaxed: boolean; hard: boolean };

const getFinding = (stage: Stage, answer: StageAnswer, relaxed: boolean): StageFinding => {
  if (answer.outcome === 'passed') return { stage: stage.name, outcome: 'passed' };
  const code = answer.outcome === 'held' ? 'APPROVAL_REQUIRED' : answer.code;
  const note = answer.outcome === 'refused' ? (answer.note ?? answer.reason) : answer.reason;
  // Stored with the record, so that a repeated request gets the same response.
  const details = answer.outcome === 'refused' && answer.details !== undefined ? { details: answer.details } : {};
  return { stage: stage.name, outcome: relaxed ? 'relaxed' : answer.outcome, code, ...(note ? { note } : {}), ...details };
};

/** Runs the stages in order. In OBSERVE a relaxable refusal is noted and the walk continues; any other refusal ends it. */
function* walk(facts: Facts, by: Deciding, inParts: boolean): Generator<void, Walk> {
  const state: Walk = { findings: [], learned: {}, stop: undefined, relaxed: false, hard: false };
  for (const stage of STAGES[by]) {
    const answer = inParts && stage.checkInParts ? yield* stage.checkInParts(facts, state.learned) : stage.check(facts, state.learned);
    const isStop = answer.outcome !== 'passed';
    const relaxed = isStop && stage.relaxedByObserve && facts.environment.mode === 'OBSERVE';
    state.findings.push(getFinding(stage, answer, relaxed));
    if (answer.outcome !== 'held' && answer.learned) state.learned = { ...state.learned, ...answer.learned };
    if (!isStop) continue;
    state.stop ??= answer;
    state.relaxed ||= relaxed;
    if (!relaxed) {
      state.stop = answer;
      state.relaxed = false;
      state.hard = !stage.relaxedByObserve;
      break;
    }
  }
  return state;
}

const getCode = (stop: Stop | undefined): PipelineCode | null => {
  if (!stop) return null;
  return stop.outcome === 'held' ? 'APPROVAL_REQUIRED' : stop.code;
};

const getEffect = (stop: Stop | undefined, learned: Learned): Effect => {
  if (stop) return stop.outcome === 'held' ? 'REQUIRE_APPROVAL' : 'BLOCK';
  return learned.policy?.effect ?? 'BLOCK';
};

/** True if the agent itself was accepted; an earlier refusal is about the agent, not the request. */
export const isAgentAccepted = (verdict: PipelineVerdict): boolean => verdict.findings.some((finding) => finding.stage === 'tool');

const getVerdict = (facts: Facts, by: Deciding, { findings, learned, stop, relaxed, hard }: Walk): PipelineVerdict => {
  const stands = stop !== undefined && !relaxed;
  const policyReason = learned.policy?.reason ?? '';
  return {
    outcome: stands ? (stop.outcome === 'held' ? 'held' : 'refused') : 'allowed',
    effect: getEffect(stop, learned),
    mode: facts.environment.mode,
    code: getCode(stop),
    reason: stop ? (stop.reason ?? policyReason) : policyReason,
    details: stop?.outcome === 'refused' ? stop.details : undefined,
    findings: stop === undefined ? PASSED_BY[by] : findings,
    learned,
    hard,
    relaxed,
    waitsFor: stop?.outcome === 'held' ? stop.waitsFor : undefined,
  };
};

/** Decides one request over given facts. Pure, so that simulations, dry runs and real requests cannot differ. */
export const decide = (facts: Facts, by: Deciding): PipelineVerdict => {
  const walked = walk(facts, by, false).next();
  if (!walked.done) throw new Error('a stage that was asked at once answered in parts');
  return getVerdict(facts, by, walked.value);
};

/** The same in parts, between which other requests may run. */
export function* decideInParts(facts: Facts, by: Deciding): Generator<void, PipelineVerdict> {
  return getVerdict(facts, by, yield* walk(facts, by, true));
}
