import type { Fuel } from '@svc/solver/fuel.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { listFieldCandidates } from './field-candidates.ts';
import type { AnalysedVersion, Atom } from './formula.ts';
import { listTextChoices, readsTexts } from './text-choices.ts';

/**
 * Values of one field that a set of atoms cannot distinguish. `least` and `greatest` bound the outcome of each atom, in the order of the
 * atoms.
 * `real` cells have a `value` that a request can have and that is judged exactly so; the others stand for what cannot be excluded.
 */
export type Cell = {
  readonly least: readonly number[];
  readonly greatest: readonly number[];
  readonly real: boolean;
  /** Undefined for no value. */
  readonly value: unknown;
};

const EXPANDED_MAX = 3;
const ANY_OUTCOME = [FALSE, UNKNOWN, TRUE];
const FOUND_OR_NOT = [FALSE, TRUE];

const exact = (outcomes: readonly number[], real: boolean, value: unknown): Cell => ({ least: outcomes, greatest: outcomes, real, value });

/** Returns each combination of outcomes of the unpredictable atoms; for many of them one cell that leaves all open. */
const unforeseen = (outcomes: readonly number[], open: readonly boolean[], ways: readonly number[] = ANY_OUTCOME): Cell[] => {
  const count = open.filter(Boolean).length;
  if (count > EXPANDED_MAX) {
    const bound = (of: number) => outcomes.map((outcome, index) => (open[index] ? of : outcome));
    return [{ least: bound(FALSE), greatest: bound(TRUE), real: false, value: undefined }];
  }
  return outcomes
    .reduce<number[][]>(
      (before, outcome, index) => before.flatMap((way) => (open[index] ? ways : [outcome]).map((one) => [...way, one])),
      [[]],
    )
    .map((way) => exact(way, false, undefined));
};

/** Fields that the agent or the tool may leave out; the service itself fills the rest. */
const mayBeMissing = (name: string): boolean => /^(amount|currency|destination\.|agent\.labels\.|parameters\.)/.test(name);

const isUnforeseeable = ({ condition }: Atom, value: unknown): boolean =>
  condition.op === 'matches' || readsTexts(condition.op) || (condition.op === 'cidr' && typeof value === 'string');

const distinct = (cells: readonly Cell[]): Cell[] => {
  const found = new Map<string, Cell>();
  for (const cell of cells) {
    const key = `${cell.least.join('')} ${cell.greatest.join('')}`;
    if (!found.has(key) || (cell.real && found.get(key)?.real === false)) found.set(key, cell);
  }
  return [...found.values()];
};

/** Step budget for finding texts that match patterns, per field. */
const PATTERN_STEPS = 20_000;

/** Returns texts in which the patterns are found and are not, as far as that takes few steps. */
const textsForPatterns = (atoms: readonly Atom[], fuel: Fuel): readonly string[] => {
  if (!atoms.some(({ condition }) => condition.op === 'matches' || readsTexts(condition.op)) || fuel.left < 0) return [];
  const steps: Fuel = { left: Math.min(PATTERN_STEPS, fuel.left) };
  const given = steps.left;
  const { texts } = listTextChoices(atoms, {}, steps);
  fuel.left -= given - Math.max(steps.left, 0);
  return texts;
};

const cellsOfPlain = (atoms: readonly Atom[], fuel: Fuel): Cell[] => {
  const [first] = atoms;
  if (first === undefined) return [];
  const { row, name } = first.field;
  const judge = (value: unknown): number[] => atoms.map((atom) => atom.judge(value));
  const missing = exact(judge(undefined), mayBeMissing(name), undefined);
  const candidates = listFieldCandidates(
    row,
    atoms.map(({ condition }) => condition),
  );
  if (candidates === null)
    return [
      missing,
      ...unforeseen(
        judge(undefined),
        atoms.map(() => true),
      ),
    ];
  const { plain, open, real } = candidates;
  const known = [...plain, ...open, ...textsForPatterns(atoms, fuel)].map((value) => exact(judge(value), real(value), value));
  const others = open.flatMap((value) =>
    unforeseen(
      judge(value),
      atoms.map((atom) => isUnforeseeable(atom, value)),
      row.type === 'json' ? ANY_OUTCOME : FOUND_OR_NOT,
    ),
  );
  return distinct([missing, ...known, ...others]);
};

/** A path with a star leads to any number of values. A single one is judged like a plain field; for several, nothing is predicted. */
const cellsOfMany = (atoms: readonly Atom[], fuel: Fuel): Cell[] => {
  const open = unforeseen(
    atoms.map(() => UNKNOWN),
    atoms.map(() => true),
  );
  return distinct([...cellsOfPlain(atoms, fuel).filter((cell) => cell.real), ...open]);
};

/** Returns the cost of computing cells, which grows with the values that the conditions name. */
const computePrice = (atoms: readonly Atom[]): number =>
  atoms.length * atoms.reduce((sum, { condition }) => sum + (Array.isArray(condition.value) ? condition.value.length : 1), 1);

/** Returns the cells of a field under some atoms on it. */
export const computeCells = (version: AnalysedVersion, atoms: readonly number[], fuel: Fuel): readonly Cell[] => {
  const key = atoms.join();
  const known = version.cells.get(key);
  if (known !== undefined) return known;
  const chosen = atoms.flatMap((atom) => version.atoms[atom] ?? []);
  fuel.left -= computePrice(chosen);
  const cells = chosen[0]?.field.wildcard ? cellsOfMany(chosen, fuel) : cellsOfPlain(chosen, fuel);
  version.cells.set(key, cells);
  return cells;
};
