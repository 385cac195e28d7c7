import { judge } from '@svc/policy/judge/evaluate.ts';
import { blockNote } from '@svc/policy/judge/obligations-alone.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { policyContext } from '../facts/policy-context.ts';
import { refused, type StageAnswer, stage } from '../facts/stage.ts';

const REFUSES = ['ACTION_BLOCKED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

/** The strictest matching rule decides; where none permits, nothing is allowed, whatever masks or limits match. Approval is the next stage's question. */
const checkPolicy = (facts: Facts, learned: Learned): Answer => {
  const { decision, rules, asked } = judge(facts.environment.policies, policyContext(facts, learned));
  const found: Learned = asked.length > 0 ? { policy: decision, consulted: rules, asked } : { policy: decision, consulted: rules };
  if (decision.effect === 'BLOCK') return { ...refused('ACTION_BLOCKED', decision.reason), learned: found, note: blockNote(decision) };
  return { outcome: 'passed', learned: found };
};

export const policy = stage({ name: 'policy', relaxedByObserve: true, refuses: REFUSES, check: checkPolicy });
