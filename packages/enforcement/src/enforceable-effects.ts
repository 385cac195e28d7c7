import type { VersionBody } from '@svc/contract/policy-language.ts';
import type { Effect } from '@svc/contract/vocabulary.ts';
import type { Fault } from '@svc/policy/faults.ts';

/** Effects whose obligations no stage carries out. In force, such a rule would let through what it was written to narrow. */
const NOT_CARRIED_OUT: readonly Effect[] = ['MASK', 'LIMIT'];

export const isEnforceable = (effect: Effect): boolean => !NOT_CARRIED_OUT.includes(effect);

const MESSAGE =
  'This effect is not carried out yet: the action would run without the mask or the limit. Use REQUIRE_APPROVAL or BLOCK until it is.';

/** Each rule that asks for what enforcement would not do; a version with such a rule is neither saved nor put in force. */
export const enforceableFaults = ({ rules }: Pick<VersionBody, 'rules'>): Fault[] =>
  rules.flatMap(({ effect }, index) => (isEnforceable(effect) ? [] : [{ pointer: `/rules/${index}/effect`, message: MESSAGE }]));
