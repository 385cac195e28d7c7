import type { ConditionScalar, OperatorName } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import { compileBetween } from '../tests/between.ts';
import type { Bound } from '../tests/bound.ts';
import { compileCidr } from '../tests/cidr.ts';
import { compileContains } from '../tests/contains.ts';
import { compileEmailDomain } from '../tests/email-domain-in.ts';
import { compileEndsWith } from '../tests/ends-with.ts';
import { compileEq } from '../tests/eq.ts';
import { compileEqIgnoreCase } from '../tests/eq-ignore-case.ts';
import { compileExists } from '../tests/exists.ts';
import { compileGt } from '../tests/gt.ts';
import { compileGte } from '../tests/gte.ts';
import { compileIn } from '../tests/in.ts';
import { compileIsFalse } from '../tests/is-false.ts';
import { compileIsTrue } from '../tests/is-true.ts';
import { compileLt } from '../tests/lt.ts';
import { compileLte } from '../tests/lte.ts';
import { compileMatches } from '../tests/matches.ts';
import { compileNeq } from '../tests/neq.ts';
import { compileNotContains } from '../tests/not-contains.ts';
import { compileNotExists } from '../tests/not-exists.ts';
import { compileNotIn } from '../tests/not-in.ts';
import { compileOnWeekdays } from '../tests/on-weekdays.ts';
import { compilePathUnder } from '../tests/path-under.ts';
import { compileStartsWith } from '../tests/starts-with.ts';
import { compileWithinHours } from '../tests/within-hours.ts';
import type { FieldType } from './field-types.ts';
import type { ConditionValueKind } from './value-kinds.ts';

export type OperatorRow = {
  readonly sentence: string;
  /** The kind of the condition's `value`. */
  readonly value: ConditionValueKind;
  readonly fits: readonly FieldType[];
  /** Outcome if the field has no value. */
  readonly missing: TruthValue;
  /** True if the operator is negative, so that with a `*` in the path the author must state `any` or `all`. */
  readonly negative: boolean;
  /** Called with a value that passed validation for this row's kind, and the type of the field. */
  readonly compile: (value: unknown, type: FieldType) => Test;
  /**
   * A longer text is not searched: it is unknown, and so that no one bypasses it by writing more, a rule that holds or blocks matches then.
   */
  readonly text_length_max?: number;
};

const listable: readonly FieldType[] = ['string', 'enum', 'host', 'ip', 'integer', 'json', 'hour', 'weekday', 'date'];
const single: readonly FieldType[] = [...listable, 'boolean'];
const everything: readonly FieldType[] = [...single, 'string_list', 'clock'];
const ordered: readonly FieldType[] = ['integer', 'json', 'hour', 'clock', 'date'];
const text: readonly FieldType[] = ['string', 'host', 'json'];
/** Types of texts that have several forms. Hosts are canonical already. */
const readable: readonly FieldType[] = ['string', 'json'];

const positive = { missing: UNKNOWN, negative: false } as const;
const negative = { missing: UNKNOWN, negative: true } as const;

/** Every operator of the language. Validation, compilation and the builder schema read this table. */
export const OPERATOR_TABLE = {
  eq: {
    ...positive,
    sentence: 'The field equals this value exactly; comparison is case-sensitive, and types are not converted.',
    value: 'scalar',
    fits: single,
    compile: (value) => compileEq(value as ConditionScalar),
  },
  neq: {
    ...negative,
    sentence: 'The field has another value of the same type; a missing field is unknown, not different.',
    value: 'scalar',
    fits: single,
    compile: (value) => compileNeq(value as ConditionScalar),
  },
  in: {
    ...positive,
    sentence: 'The field has one of these values.',
    value: 'list',
    fits: listable,
    compile: (value) => compileIn(value as readonly ConditionScalar[]),
  },
  not_in: {
    ...negative,
    sentence: 'The field has a value that is not in this list; a missing field is unknown.',
    value: 'list',
    fits: listable,
    compile: (value) => compileNotIn(value as readonly ConditionScalar[]),
  },
  gt: {
    ...positive,
    sentence: 'The number is greater than this one; a date or time of day is later.',
    value: 'bound',
    fits: ordered,
    compile: (value) => compileGt(value as Bound),
  },
  gte: {
    ...positive,
    sentence: 'The number is greater than or equal to this one; a date or time of day is the same or later.',
    value: 'bound',
    fits: ordered,
    compile: (value) => compileGte(value as Bound),
  },
  lt: {
    ...positive,
    sentence: 'The number is less than this one; a date or time of day is earlier.',
    value: 'bound',
    fits: ordered,
    compile: (value) => compileLt(value as Bound),
  },
  lte: {
    ...positive,
    sentence: 'The number is less than or equal to this one; a date or time of day is the same or earlier.',
    value: 'bound',
    fits: ordered,
    compile: (value) => compileLte(value as Bound),
  },
  between: {
    ...positive,
    sentence: 'The number, date or time of day is between these two, inclusive.',
    value: 'range',
    fits: ordered,
    compile: (value) => compileBetween(value as readonly [Bound, Bound]),
  },
  contains: {
    ...positive,
    sentence: 'The text contains this text (case-sensitive), or the list has an element equal to this value.',
    value: 'part',
    fits: [...text, 'string_list'],
    compile: (value) => compileContains(value as ConditionScalar),
  },
  not_contains: {
    ...negative,
    sentence: 'The text does not contain this text, or the list has no element equal to this value; a missing field is unknown.',
    value: 'part',
    fits: [...text, 'string_list'],
    compile: (value) => compileNotContains(value as ConditionScalar),
  },
  starts_with: {
    ...positive,
    sentence: 'The text begins with this text (case-sensitive).',
    value: 'text',
    fits: text,
    compile: (value) => compileStartsWith(value as string),
  },
  ends_with: {
    ...positive,
    sentence: 'The text ends with this text (case-sensitive).',
    value: 'ending',
    fits: text,
    compile: (value) => compileEndsWith(value as string),
  },
  matches: {
    ...positive,
    sentence: `The pattern (RE2 syntax) is found anywhere in the text; use ^ and $ to anchor it to the beginning and the end. Text of more than ${POLICY_LIMITS.matched_text_length_max} characters is not searched: the condition is unknown, and a rule then matches unless it allows.`,
    value: 'pattern',
    fits: text,
    compile: (value, type) => compileMatches(value as string, type === 'host'),
    text_length_max: POLICY_LIMITS.matched_text_length_max,
  },
  eq_ignore_case: {
    ...positive,
    sentence: 'The text equals this text but for the case of A to Z; other letters must be equal.',
    value: 'whole',
    fits: readable,
    compile: (value) => compileEqIgnoreCase(value as string),
  },
  path_under: {
    ...positive,
    sentence:
      'The text is a path that is this directory or leads to something in it (case-sensitive). Not true for a path that a program could read differently: with "." or ".." as a part, empty parts, "%", a backslash or control characters.',
    value: 'directory',
    fits: readable,
    compile: (value) => compilePathUnder(value as string),
  },
  email_domain_in: {
    ...positive,
    sentence:
      'The text is a single e-mail address without a display name, at exactly one of these domains; the case of letters is ignored. Not true for a list of addresses in one text.',
    value: 'domains',
    fits: readable,
    compile: (value) => compileEmailDomain(value as readonly string[]),
  },
  cidr: {
    ...positive,
    sentence: 'The IP address is in this network, or in one of these networks; an IPv4-mapped IPv6 address is treated as the IPv4 address.',
    value: 'networks',
    fits: ['ip', 'json'],
    compile: (value) => compileCidr(value as string | readonly string[]),
  },
  is_true: {
    ...positive,
    sentence: 'The field is the boolean true, not an equivalent string or number.',
    value: 'none',
    fits: ['boolean', 'json'],
    compile: compileIsTrue,
  },
  is_false: {
    ...positive,
    sentence: 'The field is the boolean false; a missing field is unknown, not false.',
    value: 'none',
    fits: ['boolean', 'json'],
    compile: compileIsFalse,
  },
  within_hours: {
    ...positive,
    sentence: 'The time of day is in this range, excluding the end; a range may cross midnight.',
    value: 'hours',
    fits: ['hour', 'clock'],
    compile: (value) => compileWithinHours(value as string),
  },
  on_weekdays: {
    ...positive,
    sentence: 'The day of the week is one of these.',
    value: 'list',
    fits: ['weekday'],
    compile: (value) => compileOnWeekdays(value as readonly string[]),
  },
  exists: {
    sentence: 'The field has a value; null counts as none. Never unknown.',
    value: 'none',
    fits: everything,
    missing: FALSE,
    negative: false,
    compile: compileExists,
  },
  not_exists: {
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
