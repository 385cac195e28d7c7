import { DIRECTORY_PATTERN, DOMAIN_PATTERN } from '../values/text-patterns.ts';
import type { FieldRow } from './field-row.ts';

export type ValueKindRow = {
  /** Shape of the value: one value, a list, a list of two values, one value or a list, or no value. */
  readonly shape: 'one' | 'list' | 'pair' | 'one_or_list' | 'none';
  readonly sentence: string;
  /** An example for a rule; null to use the example of the field. */
  readonly example: unknown;
  /** A different example for members of the parameters, whose type is unknown. */
  readonly json_example?: unknown;
  /** Pattern of each text. */
  readonly pattern?: string;
};

/** The kinds of a condition's `value`. Validation and the builder schema read this table. */
export const VALUE_KINDS = {
  scalar: { shape: 'one', sentence: 'One value of the field.', example: null },
  list: { shape: 'list', sentence: 'A list of values of the field.', example: null },
  bound: { shape: 'one', sentence: 'One value of the field to compare with.', example: null, json_example: 100 },
  range: { shape: 'pair', sentence: 'A list of two values of the field, the lower one first.', example: null, json_example: [1, 100] },
  text: { shape: 'one', sentence: 'A part of the text.', example: null },
  ending: { shape: 'one', sentence: 'The end of the text; for a host, without a trailing dot.', example: null },
  part: { shape: 'one', sentence: 'A part of the text, or an element of the list.', example: null },
  pattern: {
    shape: 'one',
    sentence: 'A regular expression in RE2 syntax, without lookaround and backreferences.',
    example: '^[A-Z]{2}[0-9]+$',
  },
  whole: { shape: 'one', sentence: 'The whole text.', example: 'DE' },
  directory: {
    shape: 'one',
    sentence: 'A directory, as an absolute path or relative to the working directory of the tool.',
    example: '/srv/data',
    pattern: DIRECTORY_PATTERN,
  },
  domains: { shape: 'list', sentence: 'A list of domains of e-mail addresses.', example: ['acme.example'], pattern: DOMAIN_PATTERN },
  networks: {
    shape: 'one_or_list',
    sentence: 'A network in CIDR form, or a list of them.',
    example: ['10.0.0.0/8'],
    pattern: '^[0-9A-Fa-f.:]+/(0|[1-9][0-9]{0,2})$',
  },
  hours: {
    shape: 'one',
    sentence: 'A time range, from-to in 24-hour time, excluding its end; it may cross midnight.',
    example: '22:00-06:00',
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  },
  none: { shape: 'none', sentence: 'None; omit the member.', example: null },
} as const satisfies Record<string, ValueKindRow>;

export type ConditionValueKind = keyof typeof VALUE_KINDS;

/** Returns an example value for a field and a value kind. */
export const chooseExample = (field: FieldRow, kind: ConditionValueKind): unknown => {
  const row: ValueKindRow = VALUE_KINDS[kind];
  const own = (field.type === 'json' ? row.json_example : undefined) ?? row.example;
  if (own !== null && own !== undefined) return own;
  if (row.shape === 'pair') return [field.example, field.example];
  return row.shape === 'list' ? [field.example] : field.example;
};
