import { evaluateInParts, type Judgement, judge } from '@svc/policy/judge/evaluate.ts';
import { formatBlockNote } from '@svc/policy/judge/obligations-alone.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { buildPolicyContext } from '../facts/policy-context.ts';
import { defineStage, refuseStage, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['ACTION_BLOCKED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const getAnswer = ({ decision, rules, asked }: Judgement): Answer => {
  const found: Learned = asked.length > 0 ? { policy: decision, consulted: rules, asked } : { policy: decision, consulted: rules };
  if (decision.effect === 'BLOCK')
    return { ...refuseStage('ACTION_BLOCKED', decision.reason), learned: found, note: formatBlockNote(decision) };
  return { outcome: 'passed', learned: found };
};

/**
 * Evaluates the policies. The strictest matching rule decides; without a permitting rule the action is blocked, even if masks or limits
 * match. The next stage checks the approval.
 */
const checkPolicy = (facts: Facts, learned: Learned): Answer =>
  getAnswer(judge(facts.environment.policies, buildPolicyContext(facts, learned)));

function* checkInParts(facts: Facts, learned: Learned): Generator<void, Answer> {
  return getAnswer(yield* evaluateInParts(facts.environment.policies, buildPolicyContext(facts, learned)));
}

export const policy = defineStage({ name: 'policy', relaxedByObserve: true, refuses: REFUSES, check: checkPolicy, checkInParts });
