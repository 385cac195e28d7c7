import type { Field } from '../find-field.ts';
import { visitPath } from '../read-path.ts';
import { showUnder } from '../show-value.ts';
import { type Node, noteUnknown, type Run } from './node.ts';
import { FALSE, OUTCOME_NAMES, type Outcome, TRUE, UNKNOWN } from './outcome.ts';

const newRun = (): Run => ({ conditions: [], tooLong: false, unknownFields: null });

/** The condition on one element: `judge` without a trace, `trace` with one. Both take the element in the place of a context. */
export type OnElement = { readonly judge: Node; readonly trace: Node };

/**
 * Whether one element of a list meets a condition as a whole: the greatest outcome of all elements; false where there is none. A path that
 * ends before its `*` counts as one element without a value. The trace is that of the element that decides, the first of those that come
 * closest, so that looking at many elements costs no more than judging them.
 */
export const compileAnyElement =
  (of: Field, { judge, trace }: OnElement): Node =>
  (context, run) => {
    let closest: unknown;
    let name: string | null = null;
    let greatest: Outcome | -1 = -1;
    const aside = newRun();
    visitPath(of.row.read(context), of.segments, (element, key) => {
      const outcome = judge(element as never, aside);
      if (outcome > greatest) {
        greatest = outcome;
        closest = element;
        name = key;
      }
      return outcome === TRUE;
    });
    const told = newRun();
    trace(closest as never, told);
    if (greatest === -1) {
      // Nothing was looked at, so nothing is unknown.
      for (const condition of told.conditions) run.conditions.push({ ...condition, outcome: OUTCOME_NAMES[FALSE], unknown_because: null });
      return FALSE;
    }
    // Members of an object are elements too, and what one is called can say that its value is a secret.
    const show = name === null ? null : showUnder(`${of.name}.${name}`);
    for (const condition of told.conditions)
      run.conditions.push(show === null ? condition : { ...condition, actual: show(condition.actual) });
    if (aside.tooLong) run.tooLong = true;
    if (greatest === UNKNOWN) for (const field of told.unknownFields ?? []) noteUnknown(run, field);
    return greatest;
  };
