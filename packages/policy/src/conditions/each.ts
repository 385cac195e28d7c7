import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import { type EvaluationState, type Expansion, type Node, noteUnknown, spend } from '../evaluation/node.ts';
import { FALSE, OUTCOME_NAMES, TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import { expandPath } from './expand-path.ts';
import type { ReadyCondition } from './ready-condition.ts';
import { showOnce } from './show-once.ts';
import { showUnder } from './show-value.ts';
import { whyUnknown } from './why-unknown.ts';

const SHOWN_MAX = 10;

/** Collects the values met on the way; if there are too many, the last position is reserved for the deciding one. */
const keepShown = (shown: unknown[], value: unknown, decided: boolean): void => {
  if (shown.length < SHOWN_MAX) shown.push(value);
  else if (decided) shown[SHOWN_MAX - 1] = value;
};

type Finding = { outcome: TruthValue; because: ConditionTrace['unknown_because']; tooLong: boolean; shown: unknown[] };

const judge = ({ operator, test, holds }: ReadyCondition, value: unknown, finding: Finding, run: EvaluationState): TruthValue => {
  if (value === undefined || value === null) {
    if (operator.missing === UNKNOWN) finding.because = 'missing';
    return operator.missing;
  }
  const outcome = holds(value) ? test(value, run) : UNKNOWN;
  if (outcome === UNKNOWN) {
    const because = whyUnknown(operator, value);
    if (because === 'too_long') finding.tooLong = true;
    finding.because ??= because;
  }
  return outcome;
};

/** Judges elements in order until one decides. */
const judgeAll = (ready: ReadyCondition, { values, keys }: Expansion, run: EvaluationState): Finding => {
  const { field, quantifier } = ready;
  const decisive = quantifier === 'any' ? TRUE : FALSE;
  const finding: Finding = { outcome: quantifier === 'any' ? FALSE : TRUE, because: null, tooLong: false, shown: [] };
  let looked = 0;
  for (const value of values) {
    const outcome = judge(ready, value, finding, run);
    if (quantifier === 'any' ? outcome > finding.outcome : outcome < finding.outcome) finding.outcome = outcome;
    const decided = outcome === decisive;
    if (decided || finding.shown.length < SHOWN_MAX) {
      const key = keys[looked] ?? null;
      const show = key === null ? ready.show : showUnder(`${field.name}.${key}`);
      keepShown(finding.shown, showOnce(run, show, value), decided);
    }
    looked += 1;
    if (decided) break;
  }
  spend(run, looked * ready.perElement);
  return finding;
};

/**
 * Compiles a condition on every value that a path with `*` leads to: `any` holds if one element does, `all` if each does.
 * Without elements, `any` is false and `all` true. A path that ends before its `*` counts as one element without a value.
 */
export const compileEach = (ready: ReadyCondition): Node => {
  const { path, field, op, expected } = ready;
  return (context, run) => {
    const finding = judgeAll(ready, expandPath(run, field.name, field.row.read(context), field.segments), run);
    const { outcome } = finding;
    const because = outcome === UNKNOWN ? finding.because : null;
    // Elements after the deciding one are not read, so a text among them that is too long must not matter.
    if (finding.tooLong && outcome === UNKNOWN) run.tooLong = true;
    if (because === 'missing') noteUnknown(run, field.name);
    run.conditions.push({
      path,
      field: field.name,
      op,
      expected,
      actual: finding.shown,
      outcome: OUTCOME_NAMES[outcome],
      unknown_because: because,
    });
    return outcome;
  };
};
