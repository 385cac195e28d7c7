import { known, PASSED } from '../facts/stage.ts';
import { type Supposing, UNSPOKEN } from './supposing.ts';

/** Whether a person would have to agree, to what is not refused anyway. No approval is at hand. */
export const supposedApproval: Supposing<never> = (_facts, _supposed, { learned, soft }) => {
  if (soft !== undefined) return UNSPOKEN;
  const { effect, reason } = known(learned.policy, 'policy decision');
  return effect === 'REQUIRE_APPROVAL' ? { outcome: 'held', reason } : PASSED;
};
