import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import type { PipelineVerdict } from '../decision/decide.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { type Refused, requireKnown } from '../facts/stage.ts';
import { type PipelineCode, SUPPOSED_STAGES } from '../pipeline.ts';
import type { SoFar, Supposed, Supposition } from '../supposed/supposing.ts';

type Walked = SoFar<PipelineCode> & { readonly findings: readonly StageFinding[]; readonly isHeld: boolean };

const getFinding = (stage: string, answer: Exclude<Supposition<PipelineCode>, { readonly outcome: 'unspoken' }>): StageFinding => {
  if (answer.outcome === 'held') return { stage, outcome: 'held', code: 'APPROVAL_REQUIRED' };
  if (answer.outcome !== 'refused') return { stage, outcome: answer.outcome };
  const note = answer.note ?? answer.reason;
  return { stage, outcome: 'refused', code: answer.code, ...(note ? { note } : {}) };
};

const walk = (facts: Facts, supposed: Supposed): Walked => {
  const findings: StageFinding[] = [];
  let learned: Learned = {};
  let hard: Refused<PipelineCode> | undefined;
  let soft: Refused<PipelineCode> | undefined;
  let isHeld = false;
  for (const { name, relaxedByObserve, ask } of SUPPOSED_STAGES) {
    const answer = ask(facts, supposed, { learned, hard, soft });
    if (answer.outcome !== 'unspoken') findings.push(getFinding(name, answer));
    if (answer.outcome === 'held') isHeld = true;
    else if (answer.learned) learned = { ...learned, ...answer.learned };
    if (answer.outcome !== 'refused') continue;
    if (relaxedByObserve) soft ??= answer;
    else hard ??= answer;
  }
  return { findings, learned, hard, soft, isHeld };
};

const getCode = ({ hard, soft, isHeld }: Walked): PipelineCode | null => hard?.code ?? soft?.code ?? (isHeld ? 'APPROVAL_REQUIRED' : null);

const getOutcome = ({ hard, soft, isHeld }: Walked): PipelineVerdict['outcome'] => {
  if (hard || soft) return 'refused';
  return isHeld ? 'held' : 'allowed';
};

/** Decides a partially known request. The checks on unknown parts are skipped, and reported as skipped. */
export const simulate = (facts: Facts, supposed: Supposed): PipelineVerdict => {
  const walked = walk(facts, supposed);
  const { findings, learned, hard, soft } = walked;
  const policy: PolicyDecision = requireKnown(learned.policy, 'policy decision');
  return {
    outcome: getOutcome(walked),
    effect: hard || soft ? 'BLOCK' : policy.effect,
    mode: facts.environment.mode,
    code: getCode(walked),
    reason: hard?.reason || soft?.reason || policy.reason,
    details: (hard ?? soft)?.details,
    findings,
    learned,
    hard: hard !== undefined,
    relaxed: false,
    waitsFor: undefined,
  };
};
