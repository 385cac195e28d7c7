import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { FIELD_TYPES, type FieldType } from '../language/field-types.ts';
import { HOST_ENDING_PATTERN, HOST_PIECE_PATTERN } from '../language/host-value.ts';
import { type ConditionValueKind, VALUE_KINDS, type ValueKindRow } from '../language/value-kinds.ts';

/** The type of one value: that of the field, text for any field, or that of the row. */
type Of = 'field' | 'text';

const WHOLE_HOURS = '^([01][0-9]|2[0-3]):00-([01][0-9]|2[0-4]):00$';
const RULES: Readonly<
  Record<
    ConditionValueKind,
    {
      readonly of: Of;
      /** For members of the parameters, whose type is unknown: the JSON types that the value may have. */
      readonly json: readonly string[];
      readonly min_length?: number;
      readonly max_length?: number;
      readonly patterns?: Readonly<Partial<Record<FieldType, string>>>;
      readonly ordered?: true;
    }
  >
> = {
  scalar: { of: 'field', json: ['string', 'number', 'boolean'] },
  list: { of: 'field', json: ['string', 'number', 'boolean'] },
  bound: { of: 'field', json: ['number'] },
  range: { of: 'field', json: ['number'], ordered: true },
  text: { of: 'text', json: ['string'], min_length: 1, patterns: { host: HOST_PIECE_PATTERN } },
  ending: { of: 'text', json: ['string'], min_length: 1, patterns: { host: HOST_ENDING_PATTERN } },
  part: { of: 'text', json: ['string', 'number', 'boolean'], min_length: 1, patterns: { host: HOST_PIECE_PATTERN } },
  pattern: { of: 'text', json: ['string'], min_length: 1, max_length: POLICY_LIMITS.pattern_length_max },
  whole: { of: 'text', json: ['string'], min_length: 1 },
  directory: { of: 'text', json: ['string'], min_length: 1 },
  domains: { of: 'text', json: ['string'], min_length: 1 },
  networks: { of: 'text', json: ['string'] },
  hours: { of: 'text', json: ['string'], patterns: { hour: WHOLE_HOURS } },
  none: { of: 'field', json: [] },
};

const ITEMS: Readonly<Record<ValueKindRow['shape'], readonly [number, number] | null>> = {
  one: null,
  none: null,
  pair: [2, 2],
  list: [1, POLICY_LIMITS.values_max],
  one_or_list: [1, POLICY_LIMITS.values_max],
};

/** Describes the `value` of a condition, and what can be checked of it. */
export const describeValues = (name: ConditionValueKind) => {
  const row: ValueKindRow = VALUE_KINDS[name];
  const { of, json, min_length = 0, max_length = POLICY_LIMITS.value_length_max, patterns = {}, ordered = false } = RULES[name];
  const items = ITEMS[row.shape];
  return {
    name,
    shape: row.shape,
    of,
    json_types: json,
    sentence: row.sentence,
    example: row.example,
    /** A different example for members of the parameters. */
    json_example: row.json_example ?? null,
    pattern: row.pattern ?? null,
    /** Replaces it for fields of these types. */
    patterns_by_type: patterns,
    min_length,
    max_length,
    min_items: items?.[0] ?? null,
    max_items: items?.[1] ?? null,
    /** The first must not be greater than the second; texts are compared character by character. */
    ordered,
  };
};

const JSON_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'string',
  enum: 'string',
  host: 'string',
  ip: 'string',
  integer: 'integer',
  boolean: 'boolean',
  string_list: 'array of string',
  json: 'any',
  hour: 'integer',
  clock: 'string',
  weekday: 'string',
  date: 'string',
};

/** JSON type of a value of each type. Whole numbers are those that a double represents exactly. */
export const listFieldTypes = Object.entries(FIELD_TYPES).map(([name, { phrase }]) => ({
  name,
  phrase,
  json: JSON_TYPES[name as FieldType],
}));
