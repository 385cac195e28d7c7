import type { PolicyTestCase } from '@svc/contract/policy-language.ts';
import { compileUnbound, type PolicySet } from './compile-set.ts';
import type { CompiledVersion } from './compile-version.ts';
import { readGiven } from './context.ts';
import { evaluate } from './evaluate.ts';

const matchedIn = (set: PolicySet, { given }: PolicyTestCase): string[] => {
  const read = readGiven(given);
  if (!read.ok) return [];
  return evaluate(set, read.context)
    .matched_rules.filter((rule) => rule.outcome === 'matched')
    .map((rule) => rule.id);
};

/**
 * Ids of the rules that match in none of the cases, the version's recorded tests if not said otherwise, in the order of the rules. A rule that matches and is overruled
 * by a stricter one counts as reached: what it asks for holds all the same.
 */
export const coverage = (version: CompiledVersion, cases: readonly PolicyTestCase[] = version.source.body.tests): string[] => {
  const set = compileUnbound(version);
  const reached = new Set(cases.flatMap((one) => matchedIn(set, one)));
  return version.rules.map((rule) => rule.identity.id).filter((id) => !reached.has(id));
};
