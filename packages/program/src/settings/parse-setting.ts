import type { Setting } from '@svc/contract/tables/setting-kinds.ts';
import { LIST_FORMS, TEXT_FORMS } from './forms.ts';

export type Value = number | boolean | string | readonly string[] | undefined;
export type ParsedSetting = { readonly value: Value } | { readonly faults: readonly string[] };

const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

const listItems = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const is = (name: string, text: string, wanted: string, otherwise: Value): ParsedSetting => ({
  faults: [`${name} is "${text}", but must be ${wanted}; unset it for ${otherwise}.`],
});

/** Returns the value of a setting's text, or all its faults. `otherwise` is the default value. */
export const parseSetting = (name: string, row: Setting, text: string, otherwise: Value): ParsedSetting => {
  if (row.kind === 'integer') {
    const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= row.from && number <= row.to) return { value: number };
    return is(name, text, `a whole number from ${row.from} to ${row.to}`, otherwise);
  }
  if (row.kind === 'flag') {
    const word = text.toLowerCase();
    if (TRUE.has(word) || FALSE.has(word)) return { value: TRUE.has(word) };
    return is(name, text, 'true or false', otherwise);
  }
  if (row.kind === 'word') return row.words.includes(text) ? { value: text } : is(name, text, `one of ${row.words.join(', ')}`, otherwise);
  if (row.kind === 'text') {
    const fault = TEXT_FORMS[row.form](name, text);
    return fault === undefined
      ? { value: row.form === 'address' || row.form === 'public address' ? text.replace(/(?<!\/)\/+$/, '') : text }
      : { faults: [fault] };
  }
  const items = listItems(text);
  const faults = items.flatMap((item) => LIST_FORMS[row.of](item) ?? []).map((fault) => `${name}: ${fault}.`);
  return faults.length === 0 ? { value: items } : { faults };
};
