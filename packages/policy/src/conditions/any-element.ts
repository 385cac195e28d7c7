import { type Node, newRun, noteUnknown } from '../evaluation/node.ts';
import { FALSE, OUTCOME_NAMES, TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { PolicyField } from '../language/find-field.ts';
import { expandPath } from './expand-path.ts';
import { guardsTexts, showUnder } from './show-value.ts';

/** The condition on one element: `judge` without a trace, `trace` with one. Both receive the element as their context. */
export type OnElement = { readonly judge: Node; readonly trace: Node };

/**
 * Evaluates if one element of a list matches a condition as a whole: the greatest outcome of all elements; false if there is none. A path
 * that
 * ends before its `*` counts as one element without a value. The trace is that of the deciding element, the first of the closest ones,
 * so that tracing many elements costs no more than judging them.
 */
export const compileAnyElement =
  (of: PolicyField, { judge, trace }: OnElement): Node =>
  (context, run) => {
    let closest: unknown;
    let name: string | null = null;
    let greatest: TruthValue | -1 = -1;
    const metBefore = run.tooLong;
    const { values, keys } = expandPath(run, of.name, of.row.read(context), of.segments);
    for (let index = 0; index < values.length && greatest !== TRUE; index += 1) {
      const outcome = judge(values[index] as PolicyContext, run);
      if (outcome <= greatest) continue;
      greatest = outcome;
      closest = values[index];
      name = keys[index] ?? null;
    }
    // An element that matches the condition decides. Texts in the elements before it do not matter.
    if (greatest !== UNKNOWN) run.tooLong = metBefore;
    // Path expansions are cached for whole paths, and here they begin at one element; text searches and shown values are shared.
    const told = { ...newRun(run.work), searched: run.searched, addresses: run.addresses, shown: run.shown, telling: run.telling };
    trace(closest as PolicyContext, told);
    run.work = told.work;
    run.searched = told.searched;
    run.addresses = told.addresses;
    run.shown = told.shown;
    run.telling = told.telling;
    if (greatest === -1) {
      // Nothing was evaluated, so nothing is unknown.
      for (const condition of told.conditions) run.conditions.push({ ...condition, outcome: OUTCOME_NAMES[FALSE], unknown_because: null });
      return FALSE;
    }
    // Members of an object are elements too, and a member's name can mark its value as secret.
    const show = name === null ? null : showUnder(`${of.name}.${name}`);
    for (const condition of told.conditions)
      run.conditions.push(show === null || guardsTexts(show) ? condition : { ...condition, actual: show(condition.actual) });
    if (greatest === UNKNOWN) for (const field of told.unknownFields ?? []) noteUnknown(run, field);
    return greatest;
  };
