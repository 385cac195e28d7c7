import type { ConditionTrace, FieldCondition } from '@svc/contract/policies/language.ts';
import { type Node, noteUnknown } from '../evaluation/node.ts';
import { OUTCOME_NAMES, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import { compileEach } from './each.ts';
import { outcomeOnPart } from './outcome-on-part.ts';
import { compileRead } from './read-field.ts';
import { makeReady, type ReadyCondition } from './ready-condition.ts';
import { showOnce } from './show-once.ts';
import { whyUnknown } from './why-unknown.ts';

const compilePlain = ({ path, field, op, expected, operator, test, holds, show }: ReadyCondition): Node => {
  const read = compileRead(field);
  const { missing } = operator;
  const { name, row } = field;
  const { partial } = row;
  return (context, run) => {
    const actual = read(context);
    let outcome: TruthValue;
    let because: ConditionTrace['unknown_because'] = null;
    if (actual === undefined || actual === null) {
      outcome = missing;
      if (outcome === UNKNOWN) {
        because = 'missing';
        noteUnknown(run, name);
      }
    } else {
      outcome = holds(actual) ? test(actual, run) : UNKNOWN;
      if (partial?.(context)) outcome = outcomeOnPart(op, outcome);
      if (outcome === UNKNOWN) {
        because = whyUnknown(operator, actual);
        if (because === 'too_long') run.tooLong = true;
      }
    }
    run.conditions.push({
      path,
      field: name,
      op,
      expected,
      actual: showOnce(run, show, actual),
      outcome: OUTCOME_NAMES[outcome],
      unknown_because: because,
    });
    return outcome;
  };
};

/** Compiles a condition on one field. `path` is its JSON pointer in the rule's `when`. Throws on a body that was never validated. */
export const compileCondition = (condition: FieldCondition, path: string): Node => compileReady(makeReady(condition, path));

/** Compiles a prepared condition. */
export const compileReady = (ready: ReadyCondition): Node => {
  return ready.field.wildcard ? compileEach(ready) : compilePlain(ready);
};
