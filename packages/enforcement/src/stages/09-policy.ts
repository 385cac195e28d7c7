import { evaluate } from '@svc/policy/evaluate.ts';
import type { Facts, Learned } from '../facts.ts';
import { policyContext } from '../policy-context.ts';
import { refused, type Stage, type StageAnswer } from '../stage.ts';

/** The strictest matching rule decides; when none matches, nothing is allowed. Approval is the next stage's question. */
const checkPolicy = (facts: Facts, learned: Learned): StageAnswer => {
  const policy = evaluate(facts.environment.policies, policyContext(facts, learned));
  if (policy.effect === 'BLOCK') return { ...refused('ACTION_BLOCKED', policy.reason), learned: { policy } };
  return { outcome: 'passed', learned: { policy } };
};

export const policy: Stage = { name: 'policy', relaxedByObserve: true, check: checkPolicy };
