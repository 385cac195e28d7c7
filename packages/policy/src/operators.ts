import type { ConditionScalar, OperatorName } from '@svc/contract/policy-language.ts';
import type { FieldType } from './field-types.ts';
import { compileContains } from './tree/contains.ts';
import { compileEq } from './tree/eq.ts';
import { compileExists } from './tree/exists.ts';
import { compileGt } from './tree/gt.ts';
import { compileGte } from './tree/gte.ts';
import { compileIn } from './tree/in.ts';
import { compileLt } from './tree/lt.ts';
import { compileLte } from './tree/lte.ts';
import { compileNeq } from './tree/neq.ts';
import type { Test } from './tree/node.ts';
import { compileNotExists } from './tree/not-exists.ts';
import { compileNotIn } from './tree/not-in.ts';
import { FALSE, type Outcome, TRUE, UNKNOWN } from './tree/outcome.ts';
import { compileStartsWith } from './tree/starts-with.ts';

/**
 * What the condition's `value` holds: one value of the field, a list of them, a bound to compare with,
 * a piece of text, a part (of a text, or an element of a list), or nothing.
 */
export type ValueKind = 'scalar' | 'list' | 'bound' | 'text' | 'part' | 'none';

export type OperatorRow = {
  readonly label: string;
  readonly sentence: string;
  readonly value: ValueKind;
  readonly fits: readonly FieldType[];
  /** Answer when the field has no value. */
  readonly missing: Outcome;
  /** True when the operator denies something, so that with a `*` in the path the author must say `any` or `all`. */
  readonly negative: boolean;
  /** Called with a value that passed validation for this row's kind. */
  readonly compile: (value: unknown) => Test;
};

const everything: readonly FieldType[] = ['string', 'enum', 'host', 'ip', 'integer', 'boolean', 'string_list', 'json'];
const single: readonly FieldType[] = ['string', 'enum', 'host', 'ip', 'integer', 'boolean', 'json'];
const listable: readonly FieldType[] = ['string', 'enum', 'host', 'ip', 'integer', 'json'];
const numeric: readonly FieldType[] = ['integer', 'json'];
const text: readonly FieldType[] = ['string', 'host', 'json'];

const positive = { missing: UNKNOWN, negative: false } as const;
const negative = { missing: UNKNOWN, negative: true } as const;

/** Every operator of the language. Validation, compilation and the builder schema read this table. */
export const OPERATOR_TABLE = {
  eq: {
    ...positive,
    label: 'is',
    sentence: 'The field has exactly this value; text is compared with its case, and no type is converted.',
    value: 'scalar',
    fits: single,
    compile: (value) => compileEq(value as ConditionScalar),
  },
  neq: {
    ...negative,
    label: 'is not',
    sentence: 'The field has another value of the same type; a missing field is unknown, not different.',
    value: 'scalar',
    fits: single,
    compile: (value) => compileNeq(value as ConditionScalar),
  },
  in: {
    ...positive,
    label: 'is one of',
    sentence: 'The field has one of these values.',
    value: 'list',
    fits: listable,
    compile: (value) => compileIn(value as readonly ConditionScalar[]),
  },
  not_in: {
    ...negative,
    label: 'is none of',
    sentence: 'The field has a value that is not in this list; a missing field is unknown.',
    value: 'list',
    fits: listable,
    compile: (value) => compileNotIn(value as readonly ConditionScalar[]),
  },
  gt: {
    ...positive,
    label: 'is more than',
    sentence: 'The number is above this one.',
    value: 'bound',
    fits: numeric,
    compile: (value) => compileGt(value as number),
  },
  gte: {
    ...positive,
    label: 'is at least',
    sentence: 'The number is this one or above.',
    value: 'bound',
    fits: numeric,
    compile: (value) => compileGte(value as number),
  },
  lt: {
    ...positive,
    label: 'is less than',
    sentence: 'The number is below this one.',
    value: 'bound',
    fits: numeric,
    compile: (value) => compileLt(value as number),
  },
  lte: {
    ...positive,
    label: 'is at most',
    sentence: 'The number is this one or below.',
    value: 'bound',
    fits: numeric,
    compile: (value) => compileLte(value as number),
  },
  contains: {
    ...positive,
    label: 'contains',
    sentence: 'The text has this text in it, case counting; or the list has an element equal to this value.',
    value: 'part',
    fits: [...text, 'string_list'],
    compile: (value) => compileContains(value as ConditionScalar),
  },
  starts_with: {
    ...positive,
    label: 'starts with',
    sentence: 'The text begins with this text, case counting.',
    value: 'text',
    fits: text,
    compile: (value) => compileStartsWith(value as string),
  },
  exists: {
    label: 'is present',
    sentence: 'The field has a value; null counts as none. Never unknown.',
    value: 'none',
    fits: everything,
    missing: FALSE,
    negative: false,
    compile: compileExists,
  },
  not_exists: {
    label: 'is absent',
    sentence: 'The field has no value; null counts as none. Never unknown.',
    value: 'none',
    fits: everything,
    missing: TRUE,
    negative: true,
    compile: compileNotExists,
  },
} as const satisfies Record<OperatorName, OperatorRow>;

export const findOperator = (name: string): OperatorRow | undefined =>
  Object.hasOwn(OPERATOR_TABLE, name) ? OPERATOR_TABLE[name as OperatorName] : undefined;
