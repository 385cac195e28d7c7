import type { MatchedRule, PolicyRule, VersionBody } from '@svc/contract/policies/language.ts';
import { compileWhen } from '../conditions/compile-condition.ts';
import type { Node } from '../evaluation/node.ts';
import { permits, strictness } from '../language/effects.ts';
import { workOfRule } from '../language/field-conditions.ts';
import { fieldsRead } from '../language/fields-read.ts';
import { type RequiredValue, requiredValues } from '../language/required-values.ts';
import { type RuleDemand, readDemand } from './obligations.ts';

/** A stored version and where it is bound. The body has passed validation. */
export type PolicySource = {
  readonly policy_id: string;
  readonly policy_name: string;
  readonly version_id: string;
  readonly version_number: number;
  readonly binding: MatchedRule['binding'];
  /** What its amounts are written in; left out where there is one currency only. */
  readonly currency?: string;
  readonly body: VersionBody;
};

export type CompiledRule = {
  /** The one object that every decision of this rule answers as `matched_rule`. Never changed. */
  readonly identity: MatchedRule;
  readonly strictness: number;
  /** A request runs only where such a rule matches; MASK and LIMIT narrow what one permits. */
  readonly permits: boolean;
  readonly matchesOnMissing: boolean;
  /** Blocks, asks or narrows: such a rule also matches a text too long to search. One that allows must know what it allows. */
  readonly narrows: boolean;
  readonly when: Node;
  readonly required: readonly RequiredValue[] | null;
  /** Fields the rule reads, by the names of their rows. */
  readonly fields: readonly string[];
  /** The currency of the amounts it reads; null when it reads none, or when there is one currency only. */
  readonly currency: string | null;
  readonly demand: RuleDemand | null;
  /** Units of work that consulting it takes, what its conditions search not counted. */
  readonly work: number;
};

/** What the conditions of a rule come to, wherever its version is bound. */
type CompiledConditions = Pick<CompiledRule, 'when' | 'required' | 'fields' | 'work'>;

export type CompiledVersion = { readonly source: PolicySource; readonly rules: readonly CompiledRule[] };

/** Fields whose values are in the currency that the version is written in. */
const AMOUNT_FIELDS = ['amount', 'velocity.amount_24h'];

/** Whether a rule asks people for an approval by whether one is there. */
export const asksByApproval = ({ identity, fields }: Pick<CompiledRule, 'identity' | 'fields'>): boolean =>
  identity.effect === 'REQUIRE_APPROVAL' && fields.includes('approval.present');

/** A version is compiled once for all places it is bound to, as long as its body is kept; bodies are never changed. */
const compiled = new WeakMap<PolicyRule, CompiledConditions>();

/** Compiles what a rule asks, which a version that holds it finds ready. Throws on a rule that was never validated. */
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
