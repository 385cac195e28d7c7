import type { FieldCondition, PolicyCondition } from '@svc/contract/policies/language.ts';
import type { AnalysedRule } from '../../formula/formula.ts';
import { isCatchAll } from '../../language/is-catch-all.ts';
import { below } from '../../values/faults.ts';

/** A condition of a rule; `of` is the list of the single-element group that contains it. */
export type LooseCondition = {
  readonly condition: FieldCondition;
  readonly pointer: string;
  /** True if the rule requires it to hold, false if not to hold. */
  readonly holds: boolean;
  readonly of: string | null;
};

const visit = (condition: PolicyCondition, { pointer, holds, of }: Omit<LooseCondition, 'condition'>): LooseCondition[] => {
  const ofAll = (parts: readonly PolicyCondition[], group: string): LooseCondition[] =>
    parts.flatMap((part, index) => visit(part, { pointer: below(below(pointer, group), index), holds, of }));
  if ('all' in condition) return ofAll(condition.all, 'all');
  if ('any' in condition) return ofAll(condition.any, 'any');
  if ('not' in condition) return visit(condition.not, { pointer: below(pointer, 'not'), holds: !holds, of });
  if ('any_element' in condition) {
    const { of: list, meets } = condition.any_element;
    return visit(meets, { pointer: below(below(pointer, 'any_element'), 'meets'), holds, of: list });
  }
  return [{ condition, pointer, holds, of }];
};

/** Returns each condition, and if the rule requires it to hold. */
export const listConditions = ({ rule: { when }, position }: AnalysedRule): readonly LooseCondition[] =>
  isCatchAll(when) ? [] : visit(when as PolicyCondition, { pointer: `/rules/${position}/when`, holds: true, of: null });

/** Returns true if it favours the requester that the condition holds: the request is then permitted, or a strict rule does not match. */
export const isInFavour = ({ holds }: LooseCondition, { rule }: AnalysedRule): boolean => (rule.effect === 'ALLOW' ? holds : !holds);
