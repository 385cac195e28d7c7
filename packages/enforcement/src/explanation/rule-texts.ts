import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import { listTraceConditions } from '@svc/policy/judge/trace-conditions.ts';

/** Constant JSON of one rule in explanations. */
export type RuleTexts = {
  /** Identity of the rule: an object. */
  readonly identity: string;
  /** The same, left open for the outcome. */
  readonly told: string;
  /** Its start in the stored form: the id. */
  readonly kept: string;
  /** Part shared with the other rules of its version and binding. */
  readonly source: string;
  /** Start of each condition in a response, up to the actual value. */
  readonly conditions: readonly string[];
};

const makeTexts = (rule: CompiledRule): RuleTexts => {
  const { id, policy_id, policy_name, version_id, version_number, binding } = rule.identity;
  const identity = JSON.stringify(rule.identity);
  return {
    identity,
    told: `${identity.slice(0, -1)},"outcome":"`,
    kept: `[${JSON.stringify(id)},`,
    source: JSON.stringify([policy_id, policy_name, version_id, version_number, binding]),
    conditions: listTraceConditions(rule).map(({ path, field, op, expected }) =>
      JSON.stringify({ path, field, op, expected }).slice(0, -1),
    ),
  };
};

const made = new WeakMap<CompiledRule, RuleTexts>();

/** Returns the texts of a compiled rule, built once, when it is first evaluated. */
export const buildRuleTexts = (rule: CompiledRule): RuleTexts => {
  const known = made.get(rule);
  if (known !== undefined) return known;
  const texts = makeTexts(rule);
  made.set(rule, texts);
  return texts;
};

/** Joins the texts of both lists' pairs with commas. Both lists of an explanation have the same length. */
export const writePairs = <One, Other>(
  ones: readonly One[],
  others: readonly Other[],
  write: (one: One, other: Other) => string,
): string => {
  if (ones.length !== others.length) throw new Error('an explanation and the rules behind it do not fit together');
  let text = '';
  for (let index = 0; index < ones.length; index += 1) {
    const written = write(ones[index] as One, others[index] as Other);
    text = index === 0 ? written : `${text},${written}`;
  }
  return text;
};
