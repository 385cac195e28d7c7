import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import type { TemplateValueKind } from './template-values.ts';

/** How a text of a template shows a value. */
export type Tell = {
  /** Formats minor units in the version's currency for people: 50000 of USD is 500.00. */
  readonly money: (minor: number) => string;
};

/** A parameter of a template that people set. */
export type TemplateParameter = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: TemplateValueKind;
  readonly default: unknown;
  /**
   * Every position derived from the value, by RFC 6901 pointer into the template: in its rules, and in the tests that record its meaning.
   */
  readonly places: Readonly<Record<string, (value: unknown, tell: Tell) => unknown>>;
};

/** A starting policy: rules that are valid unchanged, with tests that pass. With the defaults its positions have the written values. */
export type PolicyTemplate = {
  readonly id: string;
  readonly name: string;
  /** Describes its effect, and if it allows anything: a template that only restricts needs another policy that allows. */
  readonly description: string;
  readonly parameters?: readonly TemplateParameter[];
  readonly rules: readonly PolicyRule[];
  readonly tests: readonly PolicyTestCase[];
};

/** A parameter whose positions are checked against the type of its value. */
export const parameter = <Value>(row: {
  readonly name: string;
  readonly sentence: string;
  readonly kind: TemplateValueKind<Value>;
  readonly default: NoInfer<Value>;
  readonly places: Readonly<Record<string, (value: NoInfer<Value>, tell: Tell) => unknown>>;
}): TemplateParameter => ({
  ...row,
  // Only a value of the `kind` is ever written.
  places: Object.fromEntries(Object.entries(row.places).map(([pointer, write]) => [pointer, (value, tell) => write(value as Value, tell)])),
});
