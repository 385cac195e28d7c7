import { type Literal, opposite } from './clauses.ts';
import { newOrder } from './variable-order.ts';

export type Clause = Literal[];

/** Unassigned: not decided and not implied. */
export const UNDECIDED = -1;

/** The state of each literal and each variable. */
const newValues = (variables: number) => ({
  /** Keyed by literal: 1 for true, 0 for false. */
  values: new Int8Array(2 * variables).fill(UNDECIDED),
  levels: new Int32Array(variables),
  reasons: new Array<Clause | null>(variables).fill(null),
  phases: new Int8Array(variables),
});

/** The decisions so far and their implications, in order; each decision begins a level [trail, decision levels, phase saving]. */
export const newAssignment = (variables: number) => {
  const { values, levels, reasons, phases } = newValues(variables);
  const trail: Literal[] = [];
  const marks: number[] = [];
  const order = newOrder(variables);

  const stateOf = (literal: Literal): number => values[literal] ?? UNDECIDED;
  const take = (literal: Literal, reason: Clause | null): void => {
    values[literal] = 1;
    values[opposite(literal)] = 0;
    levels[literal >> 1] = marks.length;
    reasons[literal >> 1] = reason;
    trail.push(literal);
  };
  const release = (literal: Literal): void => {
    values[literal] = UNDECIDED;
    values[opposite(literal)] = UNDECIDED;
    phases[literal >> 1] = (literal & 1) === 0 ? 1 : 0;
    order.putBack(literal >> 1);
  };
  const backTo = (level: number): void => {
    const length = marks[level] ?? trail.length;
    for (const literal of trail.splice(length).reverse()) release(literal);
    marks.length = Math.min(marks.length, level);
  };
  /** Begins a level with the highest-ranked variable, with its last value; returns false when all are assigned. */
  const decide = (): boolean => {
    let variable = order.next();
    while (variable !== undefined && stateOf(2 * variable) !== UNDECIDED) variable = order.next();
    if (variable === undefined) return false;
    marks.push(trail.length);
    take(2 * variable + (phases[variable] === 1 ? 0 : 1), null);
    return true;
  };
  /** Begins a level with an assumed literal. */
  const assume = (literal: Literal): void => {
    marks.push(trail.length);
    if (stateOf(literal) === UNDECIDED) take(literal, null);
  };
  return { values, levels, reasons, trail, order, stateOf, take, backTo, decide, assume, level: () => marks.length };
};

export type ClauseAssignment = ReturnType<typeof newAssignment>;
