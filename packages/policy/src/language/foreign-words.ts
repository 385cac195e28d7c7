import type { OperatorName } from '@svc/contract/policies/language.ts';

/** Names that other languages use for a group of conditions, in lower case, and the name used here. */
const GROUPS: Readonly<Record<string, 'all' | 'any' | 'not'>> = {
  and: 'all',
  allof: 'all',
  every: 'all',
  '&&': 'all',
  or: 'any',
  anyof: 'any',
  some: 'any',
  '||': 'any',
  nor: 'not',
  none: 'not',
  '!': 'not',
};

const OPERATORS: Readonly<Record<string, OperatorName>> = {
  '=': 'eq',
  '==': 'eq',
  '===': 'eq',
  equals: 'eq',
  equal: 'eq',
  is: 'eq',
  '!=': 'neq',
  '!==': 'neq',
  '<>': 'neq',
  ne: 'neq',
  not_equals: 'neq',
  not_equal: 'neq',
  '>': 'gt',
  greater_than: 'gt',
  '>=': 'gte',
  ge: 'gte',
  '<': 'lt',
  less_than: 'lt',
  '<=': 'lte',
  le: 'lte',
  nin: 'not_in',
  like: 'matches',
  regex: 'matches',
  startswith: 'starts_with',
  endswith: 'ends_with',
};

const find = <Word>(words: Readonly<Record<string, Word>>, name: string): Word | null =>
  Object.hasOwn(words, name.toLowerCase()) ? (words[name.toLowerCase()] ?? null) : null;

/** Returns the group, or the operator, that a word of another language means; null if it means none. */
export const findMeantGroup = (name: string) => find(GROUPS, name);
export const findMeantOperator = (name: string) => find(OPERATORS, name);
