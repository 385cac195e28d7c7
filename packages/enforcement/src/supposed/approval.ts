import { PASSED, requireKnown } from '../facts/stage.ts';
import { type Supposing, UNSPOKEN } from './supposing.ts';

/** Returns whether a person would have to approve a request that is not refused otherwise. There is no approval. */
export const simulateApproval: Supposing<never> = (_facts, _supposed, { learned, soft }) => {
  if (soft !== undefined) return UNSPOKEN;
  const { effect, reason } = requireKnown(learned.policy, 'policy decision');
  return effect === 'REQUIRE_APPROVAL' ? { outcome: 'held', reason } : PASSED;
};
