import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule, AnalysedVersion, Atom, Formula } from '../formula/formula.ts';

/** Returns the currency to which an amount in this one cannot be converted for lack of a rate; null if all can. */
export type Unrated = (currency: string) => string | null;

/** Returns the atoms that a formula requires to hold, and not those it requires not to. */
const askedFor = (formula: Formula, holds = true): number[] => {
  if (formula.kind === 'open' || formula.kind === 'element') return [];
  if (formula.kind === 'atom') return holds ? [formula.atom] : [];
  return formula.kind === 'not' ? askedFor(formula.part, !holds) : formula.parts.flatMap((part) => askedFor(part, holds));
};

const findCurrencies = (atom: Atom | undefined): string[] => {
  const condition = atom?.condition;
  if (condition?.field !== 'currency' || (condition.op !== 'eq' && condition.op !== 'in')) return [];
  return [condition.value].flat().filter((value): value is string => typeof value === 'string');
};

/** Warns of rules that permit, or require an approval, for a currency whose amounts are refused before any rule is evaluated. */
export const warnOfMissingRate = (
  { atoms }: AnalysedVersion,
  { rule, formula, pointers }: AnalysedRule,
  unrated: Unrated,
): PolicyWarning[] => {
  if (rule.effect === 'BLOCK') return [];
  return [...new Set(askedFor(formula))].flatMap((atom) =>
    findCurrencies(atoms[atom]).flatMap((currency): PolicyWarning[] => {
      const into = unrated(currency);
      if (into === null) return [];
      const message = `There is no exchange rate between ${currency} and ${into}, so a request with an amount in ${currency} is refused before this rule is evaluated. Add an exchange rate, or remove ${currency}.`;
      return [{ kind: 'no_rate', rule_id: rule.id, pointer: pointers.get(atom) ?? '/rules', message }];
    }),
  );
};
