import type { PolicyRule, PolicyTestCase } from '@svc/contract/policy-language.ts';

/** Something in a template that people set to their own. */
export type TemplateParameter = {
  readonly name: string;
  readonly sentence: string;
  /** RFC 6901 pointers into the template to every place of the rules that holds the value; the tests assume the value that is there. */
  readonly pointers: readonly string[];
};

/** A policy to start from: rules that stand as they are, with tests that pass. */
export type PolicyTemplate = {
  readonly id: string;
  readonly name: string;
  /** What it does, and whether anything is allowed by it: what only restricts needs another policy that allows. */
  readonly description: string;
  readonly parameters?: readonly TemplateParameter[];
  readonly rules: readonly PolicyRule[];
  readonly tests: readonly PolicyTestCase[];
};
