import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule, AnalysedVersion, Atom, Formula } from '../formula/formula.ts';

/** The currency that an amount in this one cannot be compared in for want of a rate; null when it can be compared in all. */
export type Unrated = (currency: string) => string | null;

/** The atoms that a formula asks to hold, and not those it asks not to. */
const askedFor = (formula: Formula, holds = true): number[] => {
  if (formula.kind === 'open' || formula.kind === 'element') return [];
  if (formula.kind === 'atom') return holds ? [formula.atom] : [];
  return formula.kind === 'not' ? askedFor(formula.part, !holds) : formula.parts.flatMap((part) => askedFor(part, holds));
};

const currenciesIn = (atom: Atom | undefined): string[] => {
  const condition = atom?.condition;
  if (condition?.field !== 'currency' || (condition.op !== 'eq' && condition.op !== 'in')) return [];
  return [condition.value].flat().filter((value): value is string => typeof value === 'string');
};

/** Warnings where a rule that lets through, or asks a person, names a currency whose amounts are refused before any rule is asked. */
export const withoutRate = ({ atoms }: AnalysedVersion, { rule, formula, pointers }: AnalysedRule, unrated: Unrated): PolicyWarning[] => {
  if (rule.effect === 'BLOCK') return [];
  return [...new Set(askedFor(formula))].flatMap((atom) =>
    currenciesIn(atoms[atom]).flatMap((currency): PolicyWarning[] => {
      const into = unrated(currency);
      if (into === null) return [];
      const message = `There is no exchange rate between ${currency} and ${into}, so a request with an amount in ${currency} is refused before this rule is evaluated. Add an exchange rate, or remove ${currency}.`;
      return [{ kind: 'no_rate', rule_id: rule.id, pointer: pointers.get(atom) ?? '/rules', message }];
    }),
  );
};
