import type { Fuel } from '../fuel.ts';
import { analyseConflict } from './analyse-conflict.ts';
import { type Clause, type ClauseAssignment, newAssignment } from './assignment.ts';
import { type Literal, opposite } from './clauses.ts';
import { createPropagation } from './propagation.ts';

/**
 * Result of the SAT solver [CDCL]. `none`: unsatisfiable under the assumptions. `unknown`: given up. Otherwise the value of each literal.
 */
export type SolverResult = 'none' | 'unknown' | { readonly holds: (literal: Literal) => boolean };

const RESTART_AFTER = 128;
const RESTART_LATER = 1.3;

/**
 * Takes the assumptions, each in a level of its own, and decides the rest. `lost` if the clauses exclude it, `settled` if all variables are
 * assigned.
 */
const goOn = ({ stateOf, assume, decide, level }: ClauseAssignment, assumed: readonly Literal[]): 'more' | 'lost' | 'settled' => {
  const next = assumed[level()];
  if (next === undefined) return decide() ? 'more' : 'settled';
  if (stateOf(next) === 0) return 'lost';
  assume(next);
  return 'more';
};

/** Decides when to restart: after growing numbers of conflicts [geometric restarts]. */
const newRestarts = () => {
  let conflicts = 0;
  let after = RESTART_AFTER;
  return {
    countConflict: (): void => {
      conflicts += 1;
    },
    isDue: (): boolean => {
      if (conflicts <= after) return false;
      conflicts = 0;
      after *= RESTART_LATER;
      return true;
    },
  };
};

const holdsIn = (values: Int8Array): SolverResult => ({ holds: (literal) => values[literal] === 1 });

/** Returns the rest of a clause after all permanent assignments; null if the clause is true. */
const leftOf = (literals: readonly Literal[], stateOf: ClauseAssignment['stateOf']): Clause | null => {
  const distinct = new Set(literals);
  const clause = [...distinct].filter((literal) => stateOf(literal) !== 0);
  return clause.some((literal) => stateOf(literal) === 1 || distinct.has(opposite(literal))) ? null : clause;
};

/** Keeps all clauses, learned ones included, and if they are known to be unsatisfiable. */
const newClauses = (assignment: ClauseAssignment, variables: number) => {
  const { stateOf, take, level, order } = assignment;
  const { watch, propagate, rewind } = createPropagation(assignment, variables);
  let isLost = false;

  const backTo = (to: number): void => {
    assignment.backTo(to);
    rewind();
  };
  const add = (literals: readonly Literal[]): void => {
    if (level() > 0) backTo(0);
    const clause = leftOf(literals, stateOf);
    if (clause === null) return;
    const [only] = clause;
    if (only === undefined) isLost = true;
    else if (clause.length === 1) take(only, null);
    else watch(clause);
  };
  /** Learns from a conflicting clause and backjumps to where the learned clause implies a literal. */
  const resolve = (conflict: Clause): void => {
    if (level() === 0) {
      isLost = true;
      return;
    }
    const { clause, level: to } = analyseConflict(assignment, conflict);
    backTo(to);
    if (clause.length > 1) watch(clause);
    take(clause[0] as Literal, clause.length > 1 ? clause : null);
    order.age();
  };
  return { add, resolve, propagate, backTo, isLost: (): boolean => isLost };
};

/**
 * Searches for an assignment that satisfies all clauses, by deciding, propagating, learning from each conflict and restarting [CDCL as in
 * MiniSat: conflict-driven clause learning with geometric restarts, incremental, under assumptions].
 * More clauses may be added between two calls; learned clauses are kept.
 */
export const newSolver = (variables: number) => {
  const assignment = newAssignment(variables);
  const { level } = assignment;
  const { add, resolve, propagate, backTo, isLost } = newClauses(assignment, variables);
  /** `assumed` holds for this call only. */
  const solve = (fuel: Fuel, assumed: readonly Literal[] = []): SolverResult => {
    const restarts = newRestarts();
    if (level() > 0) backTo(0);
    while (!isLost() && fuel.left >= 0) {
      const conflict = propagate(fuel);
      if (conflict !== null) {
        restarts.countConflict();
        resolve(conflict);
      } else if (restarts.isDue()) backTo(0);
      else {
        const next = goOn(assignment, assumed);
        if (next !== 'more') return next === 'lost' ? 'none' : holdsIn(assignment.values.slice());
      }
    }
    return isLost() ? 'none' : 'unknown';
  };
  return { add, solve };
};
