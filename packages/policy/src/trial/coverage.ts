import type { PolicyDecision, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { compileUnbound, type PolicySet } from '../judge/compile-set.ts';
import type { CompiledVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { readGiven } from '../language/read-given.ts';

const decide = (set: PolicySet, { given }: PolicyTestCase): PolicyDecision[] => {
  const read = readGiven(given);
  return read.ok ? [evaluate(set, read.context)] : [];
};

/** Returns ids of the rules that match in none of the decisions, in the order of the rules. */
export const listUnreachedRules = (version: CompiledVersion, decisions: readonly Pick<PolicyDecision, 'matched_rules'>[]): string[] => {
  const matched = decisions.flatMap(({ matched_rules }) => matched_rules.filter(({ outcome }) => outcome === 'matched'));
  const reached = new Set(matched.map(({ id }) => id));
  return version.rules.map((rule) => rule.identity.id).filter((id) => !reached.has(id));
};

/**
 * Returns ids of the rules that match in none of the cases, by default the version's recorded tests, in the order of the rules. A matching
 * rule that is overruled
 * by a stricter one counts as reached: its demands still apply.
 */
export const coverage = (version: CompiledVersion, cases: readonly PolicyTestCase[] = version.source.body.tests): string[] => {
  const set = compileUnbound(version);
  return listUnreachedRules(
    version,
    cases.flatMap((one) => decide(set, one)),
  );
};
