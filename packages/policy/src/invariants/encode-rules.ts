import type { PolicyRule } from '@svc/contract/policy-language.ts';
import type { Fuel } from '../analyse/cells.ts';
import { type AnalysedVersion, readFormulas, WRITTEN_IN_CURRENCY } from '../analyse/formula.ts';
import { fieldsRead } from '../fields-read.ts';
import { type Clauses, type Literal, newClauses } from './clauses.ts';
import { domainsOf } from './domains.ts';
import { type EncodedDomain, encodeDomains, type Truth } from './encode-domains.ts';
import { matchOf } from './encode-violation.ts';
import { addLinks } from './links.ts';
import type { Place } from './place.ts';

/** A rule and what its amounts are written in. */
export type WrittenRule = { readonly rule: PolicyRule; readonly currency: string };

/** Clauses that every request of the place fulfils, and for each rule the literal that holds exactly where the engine takes it as matching. */
export type EncodedRules = {
  readonly clauses: Clauses;
  readonly formulas: AnalysedVersion;
  /** By the numbers of the atoms. */
  readonly truths: readonly Truth[];
  readonly encoded: readonly EncodedDomain[];
  readonly matches: readonly Literal[];
};

const comparesInSeveral = (rules: readonly WrittenRule[]): boolean =>
  new Set(rules.filter(({ rule }) => fieldsRead(rule.when).some((name) => WRITTEN_IN_CURRENCY.has(name))).map(({ currency }) => currency))
    .size > 1;

/** Puts rules into clauses; null when there are more values to look at than may be looked at, since of a part of them nothing follows. */
export const encodeRules = (rules: readonly WrittenRule[], place: Pick<Place, 'bounds'>, fuel: Fuel): EncodedRules | null => {
  const currencies = comparesInSeveral(rules) ? rules.map(({ currency }) => currency) : [];
  const formulas = readFormulas({ rules: rules.map(({ rule }) => rule) }, currencies);
  const clauses = newClauses();
  const domains = domainsOf(formulas.atoms, place, fuel);
  if (fuel.left < 0) return null;
  const { encoded, truths } = encodeDomains(clauses, domains, formulas.atoms);
  addLinks(clauses, encoded);
  const matches = formulas.rules.map((rule) => matchOf(clauses, formulas, rule, truths, encoded));
  return { clauses, formulas, truths, encoded, matches };
};
