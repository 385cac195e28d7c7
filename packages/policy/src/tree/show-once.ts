import { guardsTexts, type Show } from '../show-value.ts';
import { WORK } from '../work/prices.ts';
import { type Run, spend } from './node.ts';

/** Shorter ones are shown faster than they are found again. */
const LENGTH_MIN = 12;
const LENGTH_READ_MAX = 400;

/** A value as it is shown. Masking a text takes a while, so that each is masked once in a decision, however many conditions show it. */
export const showOnce = (run: Run, show: Show, value: unknown): unknown => {
  if (typeof value !== 'string' || value.length < LENGTH_MIN || !guardsTexts(show)) return show(value);
  run.shown ??= new Map();
  const known = run.shown.get(value);
  if (known !== undefined) return known;
  const shown = show(value);
  run.shown.set(value, shown);
  spend(run, Math.min(value.length, LENGTH_READ_MAX) * WORK.shown);
  return shown;
};
