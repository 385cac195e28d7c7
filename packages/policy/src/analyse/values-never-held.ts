import type { FieldCondition, PolicyRule, PolicyTestCase, VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { fieldConditions } from '../language/field-conditions.ts';
import type { FieldRow } from '../language/field-row.ts';
import { findField } from '../language/find-field.ts';
import { givenFields } from '../language/read-given.ts';
import { below } from '../values/faults.ts';

const COMPARED: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['eq', 'neq', 'in', 'not_in']);
const SEARCHED: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['contains', 'not_contains', 'starts_with', 'ends_with']);
const SHOWN_MAX = 80;

type Value = { readonly field: string; readonly value: string; readonly pointer: string };
/** The first rule that compares a field with a value which it never holds, by both. */
type Namers = Map<string, string>;

const keyOf = ({ field, value }: Value): string => JSON.stringify([field, value]);

/** Whether a text can be in what the field holds, as a whole or as a piece of it. */
const canHold = ({ held }: FieldRow, op: FieldCondition['op'], text: string): boolean => {
  if (held === undefined) return true;
  if (COMPARED.has(op)) return held.isHeld(text);
  return !SEARCHED.has(op) || held.letters.test(text);
};

const neverHeldIn = ({ field, op, value }: FieldCondition, pointer: string): (Value & { readonly row: FieldRow })[] => {
  const found = findField(field);
  if ('fault' in found) return [];
  const { row } = found;
  const at = below(pointer, 'value');
  const values = Array.isArray(value) ? value.map((each, index) => [each, below(at, index)] as const) : [[value, at] as const];
  return values.flatMap(([each, place]) =>
    typeof each === 'string' && !canHold(row, op, each) ? [{ field, value: each, pointer: place, row }] : [],
  );
};

const ofRule = (rule: PolicyRule, position: number, namers: Namers): PolicyWarning[] =>
  fieldConditions(rule.when).flatMap(({ condition, pointer }) =>
    neverHeldIn(condition, `/rules/${position}/when${pointer}`).map(({ row, ...found }) => {
      const key = keyOf(found);
      if (!namers.has(key)) namers.set(key, rule.id);
      const shown = JSON.stringify(found.value.slice(0, SHOWN_MAX));
      const message = `${row.name} is ${row.held?.phrase}, and ${shown} is not one, so no request has this value.`;
      return { kind: 'no_such_value' as const, rule_id: rule.id, pointer: found.pointer, message };
    }),
  );

const ofTest = (one: PolicyTestCase, position: number, namers: Namers): PolicyWarning[] =>
  givenFields(one.given, `/tests/${position}/given`).flatMap(({ name, pointer, value }) => {
    const rule_id = typeof value === 'string' ? namers.get(keyOf({ field: name, value, pointer })) : undefined;
    const message = `The test "${one.name}" depends on a value of ${name} that no request has, so it does not predict real decisions.`;
    return rule_id === undefined ? [] : [{ kind: 'no_such_value' as const, rule_id, pointer, message }];
  });

/** Conditions that compare a field with what it never is, such as an address of mail where ids are, and tests that pass by such a value. */
export const valuesNeverHeld = ({ rules, tests }: VersionBody): PolicyWarning[] => {
  const namers: Namers = new Map();
  const found = rules.flatMap((rule, position) => ofRule(rule, position, namers));
  return namers.size === 0 ? found : [...found, ...tests.flatMap((one, position) => ofTest(one, position, namers))];
};
