import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import type { FieldRow } from '../language/field-row.ts';
import { HOST_ENDING_PATTERN, HOST_PIECE_PATTERN } from '../language/host-value.ts';
import { type ConditionValueKind, VALUE_KINDS } from '../language/value-kinds.ts';

/** A JSON Schema, as data. */
export type Schema = { readonly [keyword: string]: unknown } | boolean;

const text = { type: 'string', maxLength: POLICY_LIMITS.value_length_max } as const;
const piece = { ...text, minLength: 1 } as const;

/** Returns the schema of one value of the field. */
export const buildScalarSchema = (row: FieldRow): Schema => {
  if (row.values !== undefined) return { enum: row.values };
  if (row.type === 'boolean') return { type: 'boolean' };
  if (row.type === 'integer' || row.type === 'hour') {
    return { type: 'integer', minimum: row.min ?? Number.MIN_SAFE_INTEGER, maximum: row.max ?? Number.MAX_SAFE_INTEGER };
  }
  if (row.type === 'json') return { anyOf: [text, { type: ['number', 'boolean'] }] };
  return row.pattern === undefined ? text : { ...text, pattern: row.pattern };
};

const boundSchema = (row: FieldRow): Schema => (row.type === 'json' ? { type: 'number' } : buildScalarSchema(row));

const pieceSchema = (row: FieldRow): Schema => (row.type === 'host' ? { ...piece, pattern: HOST_PIECE_PATTERN } : piece);

const partSchema = (row: FieldRow): Schema => {
  if (row.type === 'json') return { anyOf: [piece, { type: ['number', 'boolean'] }] };
  return row.element_pattern === undefined ? pieceSchema(row) : { ...piece, pattern: row.element_pattern };
};

const network = { type: 'string', pattern: VALUE_KINDS.networks.pattern } as const;
const WHOLE_HOURS = '^([01][0-9]|2[0-3]):00-([01][0-9]|2[0-4]):00$';

const BY_KIND: Readonly<Record<Exclude<ConditionValueKind, 'none'>, (row: FieldRow) => Schema>> = {
  scalar: buildScalarSchema,
  list: (row) => ({ type: 'array', minItems: 1, maxItems: POLICY_LIMITS.values_max, items: buildScalarSchema(row) }),
  bound: boundSchema,
  range: (row) => ({ type: 'array', minItems: 2, maxItems: 2, items: boundSchema(row) }),
  text: pieceSchema,
  ending: (row) => (row.type === 'host' ? { ...piece, pattern: HOST_ENDING_PATTERN } : piece),
  part: partSchema,
  pattern: () => ({ type: 'string', minLength: 1, maxLength: POLICY_LIMITS.pattern_length_max }),
  whole: () => piece,
  directory: () => ({ ...piece, pattern: VALUE_KINDS.directory.pattern }),
  domains: () => ({
    type: 'array',
    minItems: 1,
    maxItems: POLICY_LIMITS.values_max,
    items: { ...piece, pattern: VALUE_KINDS.domains.pattern },
  }),
  networks: () => ({ anyOf: [network, { type: 'array', minItems: 1, maxItems: POLICY_LIMITS.values_max, items: network }] }),
  hours: (row) => ({ type: 'string', pattern: row.type === 'hour' ? WHOLE_HOURS : VALUE_KINDS.hours.pattern }),
};

/** Returns the schema of the `value` of a condition on the field under an operator of this kind; `false` if it is left out. */
export const buildValueSchema = (row: FieldRow, kind: ConditionValueKind): Schema => {
  if (kind === 'none') return false;
  const schema = BY_KIND[kind](row);
  return typeof schema === 'boolean' ? schema : { ...schema, description: VALUE_KINDS[kind].sentence };
};
