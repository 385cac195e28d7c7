import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import { conditionsOf } from '@svc/policy/judge/conditions-of.ts';

/** What every explanation says of one rule, as JSON. */
export type RuleTexts = {
  /** Who the rule is: an object. */
  readonly identity: string;
  /** The same, left open for what became of it. */
  readonly told: string;
  /** How it begins where it is kept: its id. */
  readonly kept: string;
  /** What it has in common with the other rules of its version, where that is bound. */
  readonly source: string;
  /** How each condition begins in an answer, up to the value it met. */
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
    conditions: conditionsOf(rule).map(({ path, field, op, expected }) => JSON.stringify({ path, field, op, expected }).slice(0, -1)),
  };
};

const made = new WeakMap<CompiledRule, RuleTexts>();

/** Written once for each compiled rule, when it is first consulted. */
export const textsOf = (rule: CompiledRule): RuleTexts => {
  const known = made.get(rule);
  if (known !== undefined) return known;
  const texts = makeTexts(rule);
  made.set(rule, texts);
  return texts;
};

/** The texts of both lists' pairs, joined by commas. Whatever explains a decision has as many of the one as of the other. */
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
