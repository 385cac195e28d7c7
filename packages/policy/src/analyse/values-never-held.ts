import type { FieldCondition, PolicyRule, PolicyTestCase, VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { fieldConditions } from '../language/field-conditions.ts';
import type { FieldRow } from '../language/field-row.ts';
import { findField } from '../language/find-field.ts';
import { listGivenFields } from '../language/read-given.ts';
import { below } from '../values/faults.ts';

const COMPARED: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['eq', 'neq', 'in', 'not_in']);
const SEARCHED: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['contains', 'not_contains', 'starts_with', 'ends_with']);
const READ: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['eq_ignore_case', 'path_under', 'email_domain_in']);
const SHOWN_MAX = 80;

type Value = { readonly field: string; readonly value: string | number; readonly pointer: string };
/** The first rule that compares a field with a value that it never has, by field and value. */
type Namers = Map<string, string>;

const getKey = ({ field, value }: Value): string => JSON.stringify([field, value]);

/** Returns true if the field can contain a text, as a whole or in part. */
const canHold = ({ held }: FieldRow, op: FieldCondition['op'], text: string): boolean => {
  if (held === undefined) return true;
  if (COMPARED.has(op)) return held.isHeld(text);
  return !SEARCHED.has(op) || held.letters.test(text);
};

const shown = (text: string): string => JSON.stringify(text.slice(0, SHOWN_MAX));

/** A complete variable of a shell, a template or a workflow tool. */
const PLACEHOLDER = /\$\{[^{}]*\}|\{\{[^{}]*\}\}/;
/** A star in the position of a wildcard: at an end of the text, or for a whole part between dots or slashes. A star alone is a value. */
const WILDCARD = /^\*.|.\*$|[./]\*[./]/s;

const instead = (text: string): string => {
  const [before = '', after = ''] = text.split('*', 2);
  if (after === '') return ` To match a beginning, use starts_with ${shown(before)}.`;
  return before === '' ? ` To match an end, use ends_with ${shown(after)}.` : ' To match a pattern, use matches.';
};

/** Returns a sentence why the text cannot match what its author intends; null if it may be intended. */
const neverMeant = (op: FieldCondition['op'], text: string): string | null => {
  if (!COMPARED.has(op) && !SEARCHED.has(op) && !READ.has(op)) return null;
  if (PLACEHOLDER.test(text)) return `${shown(text)} contains a placeholder, which is not replaced: the text is compared as it stands.`;
  const isWildcard = WILDCARD.test(text) && op !== 'contains' && op !== 'not_contains';
  return isWildcard ? `"*" is not a wildcard here: the operator ${op} compares ${shown(text)} as it stands.${instead(text)}` : null;
};

const textFault = (row: FieldRow, op: FieldCondition['op'], text: string): string | null => {
  const meant = neverMeant(op, text);
  if (meant !== null) return meant;
  if (canHold(row, op, text)) return null;
  return `${row.name} is ${row.held?.phrase}, and ${shown(text)} is not one, so no request has this value.`;
};

const REACHED: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'between']);

const numberFault = ({ name, held_max }: FieldRow, op: FieldCondition['op'], value: number): string | null => {
  const least = op === 'gt' ? value + 1 : value;
  if (held_max === undefined || !REACHED.has(op) || least <= held_max) return null;
  return `${name} is at most ${held_max}, so no request has the value that this condition compares with.`;
};

type Found = Value & { readonly message: string };

const neverHeldIn = ({ field, op, value }: FieldCondition, pointer: string): Found[] => {
  const found = findField(field);
  if ('fault' in found) return [];
  const { row } = found;
  const at = below(pointer, 'value');
  // Only the lower end of a range has to be reached.
  const listed = Array.isArray(value) ? (op === 'between' ? value.slice(0, 1) : value) : null;
  const values = listed?.map((each, index) => [each, below(at, index)] as const) ?? [[value, at] as const];
  return values.flatMap(([each, place]) => {
    const message = typeof each === 'string' ? textFault(row, op, each) : typeof each === 'number' ? numberFault(row, op, each) : null;
    return message === null ? [] : [{ field, value: each as string | number, pointer: place, message }];
  });
};

const ofRule = (rule: PolicyRule, position: number, namers: Namers): PolicyWarning[] =>
  fieldConditions(rule.when).flatMap(({ condition, pointer }) =>
    neverHeldIn(condition, `/rules/${position}/when${pointer}`).map(({ message, ...found }) => {
      const key = getKey(found);
      if (!namers.has(key)) namers.set(key, rule.id);
      return { kind: 'no_such_value' as const, rule_id: rule.id, pointer: found.pointer, message };
    }),
  );

const ofTest = (one: PolicyTestCase, position: number, namers: Namers): PolicyWarning[] =>
  listGivenFields(one.given, `/tests/${position}/given`).flatMap(({ name, pointer, value }) => {
    const rule_id =
      typeof value === 'string' || typeof value === 'number' ? namers.get(getKey({ field: name, value, pointer })) : undefined;
    const message = `The test "${one.name}" depends on a value of ${name} that no request has, so it does not predict real decisions.`;
    return rule_id === undefined ? [] : [{ kind: 'no_such_value' as const, rule_id, pointer, message }];
  });

/**
 * Warns of conditions that compare a field with a value that no request has or that is not meant literally: an e-mail address instead of an
 * id, a wildcard, a placeholder, an unreachable number; and of tests that pass by such a value.
 */
export const valuesNeverHeld = ({ rules, tests }: VersionBody): PolicyWarning[] => {
  const namers: Namers = new Map();
  const found = rules.flatMap((rule, position) => ofRule(rule, position, namers));
  return namers.size === 0 ? found : [...found, ...tests.flatMap((one, position) => ofTest(one, position, namers))];
};
