import type { Fuel } from '@svc/solver/fuel.ts';
import { TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { type Cell, computeCells } from '../formula/cells.ts';
import {
  type AnalysedRule,
  type AnalysedVersion,
  type AtomBounds,
  computeGreatest,
  computeLeast,
  nothingKnown,
  searchesElements,
} from '../formula/formula.ts';

/** A rule that must match (`matches`) or must not; it matches from an outcome on. */
export type Wish = { readonly rule: AnalysedRule; readonly matches: boolean; readonly from: number };

/** A field and the atoms on it. */
export type Variable = { readonly name: string; readonly atoms: readonly number[]; readonly cells: readonly Cell[] };

export type CellAssignment = ReadonlyMap<string, Cell>;

/** `none`: proven that there is nothing. `found`: the callback stopped the search. `unknown`: gave up. */
export type SearchOutcome = 'none' | 'found' | 'unknown';

/** Returns the outcome from which a rule certainly matches. */
export const certainOutcome = ({ rule }: AnalysedRule): number => (rule.if_missing === 'match' ? UNKNOWN : TRUE);

/**
 * Returns the outcome from which a rule may match: a rule that does not allow also matches a parameter that is too long to search for a
 * pattern.
 */
export const possibleOutcome = (version: AnalysedVersion, analysed: AnalysedRule): number => {
  const searches = analysed.atoms.some((atom) => {
    const found = version.atoms[atom];
    return found?.condition.op === 'matches' && found.field.row.type === 'json';
  });
  return analysed.rule.effect !== 'ALLOW' && (searches || searchesElements(analysed.formula)) ? UNKNOWN : certainOutcome(analysed);
};

/** Returns the fields that the rules read, shared ones first, since they decide most. None if the budget is used up. */
export const listVariables = (version: AnalysedVersion, rules: readonly AnalysedRule[], fuel: Fuel): Variable[] => {
  if (fuel.left < 0) return [];
  const byName = new Map<string, { atoms: Set<number>; readers: Set<AnalysedRule> }>();
  for (const rule of rules) {
    for (const atom of rule.atoms) {
      const name = version.atoms[atom]?.field.name ?? '';
      const found = byName.get(name) ?? { atoms: new Set(), readers: new Set() };
      byName.set(name, found);
      found.atoms.add(atom);
      found.readers.add(rule);
    }
  }
  return [...byName]
    .toSorted(([, left], [, right]) => right.readers.size - left.readers.size)
    .map(([name, { atoms }]) => {
      const ordered = [...atoms].toSorted((left, right) => left - right);
      return { name, atoms: ordered, cells: computeCells(version, ordered, fuel) };
    });
};

type State = 'met' | 'open' | 'lost';

const getState = ({ rule, matches, from }: Wish, known: AtomBounds): State => {
  if (computeLeast(rule.formula, known) >= from) return matches ? 'met' : 'lost';
  if (computeGreatest(rule.formula, known) < from) return matches ? 'lost' : 'met';
  return 'open';
};

const stateOfAll = (wishes: readonly Wish[], known: AtomBounds): State => {
  let state: State = 'met';
  for (const wish of wishes) {
    const one = getState(wish, known);
    if (one === 'lost') return 'lost';
    if (one === 'open') state = 'open';
  }
  return state;
};

const assign = (known: AtomBounds, { atoms }: Variable, cell: Cell): void => {
  for (const [place, atom] of atoms.entries()) {
    known.least[atom] = cell.least[place] ?? 0;
    known.greatest[atom] = cell.greatest[place] ?? TRUE;
  }
};

const release = (known: AtomBounds, { atoms }: Variable): void => {
  for (const atom of atoms) {
    known.least[atom] = 0;
    known.greatest[atom] = TRUE;
  }
};

/**
 * Searches for cells, one per field, that fulfil all wishes. Candidates are passed to `stop`, with open fields missing, until it returns
 * true.
 * With `real` only cells that a request can have are tried, so that an empty result proves nothing.
 */
export const search = (
  version: AnalysedVersion,
  variables: readonly Variable[],
  wishes: readonly Wish[],
  {
    fuel,
    real = false,
    stop = () => true,
  }: { readonly fuel: Fuel; readonly real?: boolean; readonly stop?: (found: CellAssignment) => boolean },
): SearchOutcome => {
  const known = nothingKnown(version.atoms.length);
  const assignment = new Map<string, Cell>();
  const price = wishes.reduce((sum, { rule }) => sum + rule.atoms.length, 1);
  const descend = (place: number): SearchOutcome => {
    fuel.left -= price;
    if (fuel.left < 0) return 'unknown';
    const state = stateOfAll(wishes, known);
    if (state === 'lost') return 'none';
    const variable = variables[place];
    if (state === 'met' || variable === undefined) return stop(assignment) ? 'found' : 'none';
    for (const cell of variable.cells) {
      if (real && !cell.real) continue;
      assign(known, variable, cell);
      assignment.set(variable.name, cell);
      const outcome = descend(place + 1);
      assignment.delete(variable.name);
      release(known, variable);
      if (outcome !== 'none') return outcome;
    }
    return 'none';
  };
  return descend(0);
};
