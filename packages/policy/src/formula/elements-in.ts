import type { Formula } from './formula.ts';

/** The paths of the elements that a formula asks for. */
export const elementsIn = (formula: Formula): string[] => {
  if (formula.kind === 'element') return [formula.name];
  if (formula.kind === 'not') return elementsIn(formula.part);
  return formula.kind === 'all' || formula.kind === 'any' ? formula.parts.flatMap(elementsIn) : [];
};
