import type { MatchedRule, PolicyRule, VersionBody } from '@svc/contract/policies/language.ts';
import { compileWhen } from '../conditions/compile-condition.ts';
import type { Node } from '../evaluation/node.ts';
import { permits, strictness } from '../language/effects.ts';
import { workOfRule } from '../language/field-conditions.ts';
import { fieldsRead } from '../language/fields-read.ts';
import { type RequiredValue, requiredValues } from '../language/required-values.ts';
import { type RuleDemand, readDemand } from './obligations.ts';

/** A stored version and its binding. The body has passed validation. */
export type PolicySource = {
  readonly policy_id: string;
  readonly policy_name: string;
  readonly version_id: string;
  readonly version_number: number;
  readonly binding: MatchedRule['binding'];
  /** The currency of its amounts; optional if there is one currency only. */
  readonly currency?: string;
  readonly body: VersionBody;
};

export type CompiledRule = {
  /** The one object that every decision of this rule returns as `matched_rule`. Never changed. */
  readonly identity: MatchedRule;
  readonly strictness: number;
  /** True if a request may run because of such a rule; MASK and LIMIT restrict what another rule permits. */
  readonly permits: boolean;
  readonly matchesOnMissing: boolean;
  /**
   * True for rules that block, require approval or restrict: they also match a text too long to search. A rule that allows must know what
   * it allows.
   */
  readonly narrows: boolean;
  readonly when: Node;
  readonly required: readonly RequiredValue[] | null;
  /** Fields that the rule reads, by the names of their rows. */
  readonly fields: readonly string[];
  /** The currency of the amounts it reads; null if it reads none, or if there is one currency only. */
  readonly currency: string | null;
  readonly demand: RuleDemand | null;
  /** Work units of consulting it, without the searches of its conditions. */
  readonly work: number;
};

/** The compiled conditions of a rule, for any binding of its version. */
type CompiledConditions = Pick<CompiledRule, 'when' | 'required' | 'fields' | 'work'>;

export type CompiledVersion = { readonly source: PolicySource; readonly rules: readonly CompiledRule[] };

/** Fields with values in the currency of the version. */
const AMOUNT_FIELDS = ['amount', 'velocity.amount_24h'];

/** Returns true if a rule requires an approval depending on the presence of one. */
export const asksByApproval = ({ identity, fields }: Pick<CompiledRule, 'identity' | 'fields'>): boolean =>
  identity.effect === 'REQUIRE_APPROVAL' && fields.includes('approval.present');

/** A version is compiled once for all its bindings, as long as its body is kept; bodies are never changed. */
const compiled = new WeakMap<PolicyRule, CompiledConditions>();

/** Compiles the conditions of a rule in advance, for a version that contains it. Throws on a rule that was never validated. */
export const compileConditions = (rule: PolicyRule): CompiledConditions => {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const conditions = {
    when: compileWhen(rule.when),
    required: requiredValues(rule.when),
    fields: fieldsRead(rule.when),
    work: workOfRule(rule),
  };
  compiled.set(rule, conditions);
  return conditions;
};

const compileRule = (source: PolicySource, rule: PolicyRule): CompiledRule => {
  const identity: MatchedRule = Object.freeze({
    id: rule.id,
    policy_id: source.policy_id,
    policy_name: source.policy_name,
    version_id: source.version_id,
    version_number: source.version_number,
    effect: rule.effect,
    reason: rule.reason,
    binding: Object.freeze({ ...source.binding }),
  });
  const conditions = compileConditions(rule);
  const { fields } = conditions;
  return {
    identity,
    strictness: strictness(rule.effect),
    permits: permits(rule.effect),
    matchesOnMissing: rule.if_missing === 'match' && rule.effect !== 'ALLOW',
    narrows: rule.effect !== 'ALLOW',
    ...conditions,
    currency: AMOUNT_FIELDS.some((name) => fields.includes(name)) ? (source.currency ?? null) : null,
    demand: readDemand(rule, identity, source.currency),
  };
};

/** Compiles each rule of a version once, to closures. Throws on a body that was never validated, so that nothing is decided by it. */
export const compileVersion = (source: PolicySource): CompiledVersion => ({
  source,
  rules: source.body.rules.map((rule) => compileRule(source, rule)),
});
