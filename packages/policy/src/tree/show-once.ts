import { guardsTexts, type Show, showList } from '../show-value.ts';
import { WORK } from '../work/prices.ts';
import { type Run, spend } from './node.ts';

/** Shorter ones are shown faster than they are found again. */
const LENGTH_MIN = 12;
const LENGTH_READ_MAX = 400;

const keep = (run: Run, value: unknown, shown: unknown): unknown => {
  run.shown?.set(value, shown);
  return shown;
};

/**
 * A value as it is shown. Masking a text takes a while, so that each is masked once in a decision, however many conditions show it, and each
 * list is gone through once.
 */
export const showOnce = (run: Run, show: Show, value: unknown): unknown => {
  const isText = typeof value === 'string';
  if (isText ? value.length < LENGTH_MIN : !Array.isArray(value)) return show(value);
  if (!guardsTexts(show)) return show(value);
  run.shown ??= new Map();
  const known = run.shown.get(value);
  if (known !== undefined) return known;
  if (!isText)
    return keep(
      run,
      value,
      showList(value as readonly unknown[], (element) => showOnce(run, show, element)),
    );
  spend(run, Math.min(value.length, LENGTH_READ_MAX) * WORK.shown);
  return keep(run, value, show(value));
};
