import { type EvaluationState, type Node, spend } from '../evaluation/node.ts';
import { FALSE, TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import { visitPath } from '../values/read-path.ts';
import type { ReadyCondition } from './ready-condition.ts';
import { whyUnknown } from './why-unknown.ts';

const judge = ({ operator, test, holds, perElement }: ReadyCondition, value: unknown, run: EvaluationState): TruthValue => {
  spend(run, perElement);
  if (value === undefined || value === null) return operator.missing;
  return holds(value) ? test(value, run) : UNKNOWN;
};

const isTooLong = ({ operator }: ReadyCondition, value: unknown): boolean => whyUnknown(operator, value) === 'too_long';

/** Compiles a condition without a trace, with the same result. */
export const compileUntraced = (ready: ReadyCondition): Node => {
  const { field, quantifier } = ready;
  const decisive = quantifier === 'any' ? TRUE : FALSE;
  return (context, run) => {
    let tooLong = false;
    let found: TruthValue = field.wildcard && quantifier === 'any' ? FALSE : TRUE;
    visitPath(field.row.read(context), field.segments, (value) => {
      const outcome = judge(ready, value, run);
      if (outcome === UNKNOWN && isTooLong(ready, value)) tooLong = true;
      if (!field.wildcard) found = outcome;
      else if (quantifier === 'any' ? outcome > found : outcome < found) found = outcome;
      return outcome === decisive;
    });
    if (tooLong && (found as TruthValue) === UNKNOWN) run.tooLong = true;
    return found;
  };
};
