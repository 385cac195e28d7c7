import { type EvaluationState, spend } from '../evaluation/node.ts';
import { WORK } from '../evaluation/prices.ts';
import { guardsTexts, type Show, showList } from './show-value.ts';

/** Shorter texts are masked faster than they are looked up. */
const LENGTH_MIN = 12;
const LENGTH_READ_MAX = 400;

const NOT_TOLD = '[not shown]';

const computeLength = (shown: unknown): number => {
  if (typeof shown === 'string') return shown.length;
  return Array.isArray(shown) ? shown.reduce<number>((sum, element) => sum + 1 + computeLength(element), 0) : 1;
};

const tell = (run: EvaluationState, shown: unknown): unknown => {
  run.telling -= computeLength(shown);
  return run.telling < 0 ? NOT_TOLD : shown;
};

const mask = (run: EvaluationState, show: Show, value: string | readonly unknown[]): unknown => {
  if (typeof value !== 'string')
    return showList(value, (element) => (typeof element === 'string' ? maskOnce(run, show, element) : show(element)));
  spend(run, Math.min(value.length, LENGTH_READ_MAX) * WORK.shown);
  return show(value);
};

const maskOnce = (run: EvaluationState, show: Show, value: string | readonly unknown[]): unknown => {
  run.shown ??= new Map();
  const known = run.shown.get(value);
  if (known !== undefined) return known;
  const shown = mask(run, show, value);
  run.shown.set(value, shown);
  return shown;
};

/**
 * Returns a value as it is shown. Masking a text is slow, so each is masked once per decision, however many conditions show it, and each
 * list is traversed once. After the bound on shown characters, the next value is omitted.
 */
export const showOnce = (run: EvaluationState, show: Show, value: unknown): unknown => {
  const isLong = typeof value === 'string' ? value.length >= LENGTH_MIN : Array.isArray(value);
  if (!isLong) return show(value);
  return tell(run, guardsTexts(show) ? maskOnce(run, show, value as string | readonly unknown[]) : show(value));
};
