import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import type { ValueKind } from './template-values.ts';

/** How a text of a template tells of a value. */
export type Tell = {
  /** Minor units in the version's currency, as people write them: 50000 of USD is 500.00. */
  readonly money: (minor: number) => string;
};

/** Something in a template that people set to their own. */
export type TemplateParameter = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: ValueKind;
  readonly default: unknown;
  /** Every place made of the value, by RFC 6901 pointer into the template: in its rules, and in the tests that record what it means. */
  readonly places: Readonly<Record<string, (value: unknown, tell: Tell) => unknown>>;
};

/** A policy to start from: rules that stand as they are, with tests that pass. With the defaults its places hold what stands there. */
export type PolicyTemplate = {
  readonly id: string;
  readonly name: string;
  /** What it does, and whether anything is allowed by it: what only restricts needs another policy that allows. */
  readonly description: string;
  readonly parameters?: readonly TemplateParameter[];
  readonly rules: readonly PolicyRule[];
  readonly tests: readonly PolicyTestCase[];
};

/** A parameter whose places are checked against the type of its value. */
export const parameter = <Value>(row: {
  readonly name: string;
  readonly sentence: string;
  readonly kind: ValueKind<Value>;
  readonly default: NoInfer<Value>;
  readonly places: Readonly<Record<string, (value: NoInfer<Value>, tell: Tell) => unknown>>;
}): TemplateParameter => ({
  ...row,
  // Only what `kind` holds is ever written.
  places: Object.fromEntries(Object.entries(row.places).map(([pointer, write]) => [pointer, (value, tell) => write(value as Value, tell)])),
});
