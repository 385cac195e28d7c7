import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AuthorityFault } from './delegation.ts';

const MAY_NOT_BE_PASSED_ON =
  'The parent delegation does not allow further delegation (can_redelegate is false). Its creator can create another one with can_redelegate and max_depth.';

const isLastOfChain = ({ field, parent, asked }: AuthorityFault): boolean => field === 'can_redelegate' && parent === asked;

/** Refuses with each field that exceeds the permitted authority, and the bounding value. */
export const refuseEscalation = (parentId: string | null, fields: readonly AuthorityFault[]): Refusal<'DELEGATION_ESCALATION'> => {
  const [only] = fields;
  const sentence =
    only && fields.length === 1 && isLastOfChain(only)
      ? MAY_NOT_BE_PASSED_ON
      : `This exceeds the authority of the delegator in ${fields.map(({ field }) => field).join(', ')}.`;
  return buildRefusal('DELEGATION_ESCALATION', sentence, { parent_id: parentId, fields });
};
