import type { Fuel } from '../analyse/cells.ts';
import { type Clause, newAssignment } from './assignment.ts';
import { type Literal, opposite } from './clauses.ts';
import { learn } from './learn.ts';
import { newPropagation } from './propagation.ts';

/** `none`: proven that nothing fulfils the clauses with what was assumed. `unknown`: given up. Otherwise, for each literal, whether it holds. */
export type Answer = 'none' | 'unknown' | { readonly holds: (literal: Literal) => boolean };

const RESTART_AFTER = 128;
const RESTART_LATER = 1.3;

/**
 * Looks for an assignment that fulfils all clauses, by deciding, propagating and learning from each conflict (MiniSat's method).
 * More clauses may be added between two questions; what was learned stays.
 */
export const newSolver = (variables: number) => {
  const assignment = newAssignment(variables);
  const { stateOf, take, decide, level, order } = assignment;
  const { watch, propagate, rewind } = newPropagation(assignment, variables);
  let isLost = false;

  const backTo = (to: number): void => {
    assignment.backTo(to);
    rewind();
  };
  const add = (literals: readonly Literal[]): void => {
    if (level() > 0) backTo(0);
    const distinct = new Set(literals);
    const clause = [...distinct].filter((literal) => stateOf(literal) !== 0);
    if (clause.some((literal) => stateOf(literal) === 1 || distinct.has(opposite(literal)))) return;
    const [only] = clause;
    if (only === undefined) isLost = true;
    else if (clause.length === 1) take(only, null);
    else watch(clause);
  };
  const resolve = (conflict: Clause): void => {
    const learned = learn(assignment, conflict);
    const { clause } = learned;
    backTo(learned.level);
    if (clause.length > 1) watch(clause);
    take(clause[0] as Literal, clause.length > 1 ? clause : null);
    order.age();
  };
  /** Takes what is assumed, each in a level of its own; false when the clauses do not let it. */
  const assume = (assumed: readonly Literal[]): 'more' | 'all' | 'lost' => {
    const next = assumed[level()];
    if (next === undefined) return 'all';
    if (stateOf(next) === 0) return 'lost';
    assignment.assume(next);
    return 'more';
  };
  /** `assumed` holds for this question alone. */
  const solve = (fuel: Fuel, assumed: readonly Literal[] = []): Answer => {
    let sinceRestart = 0;
    let restartAfter = RESTART_AFTER;
    if (level() > 0) backTo(0);
    while (!isLost && fuel.left >= 0) {
      const conflict = propagate(fuel);
      if (conflict !== null) {
        sinceRestart += 1;
        if (level() === 0) isLost = true;
        else resolve(conflict);
      } else if (sinceRestart > restartAfter) {
        backTo(0);
        sinceRestart = 0;
        restartAfter *= RESTART_LATER;
      } else {
        const taken = assume(assumed);
        if (taken === 'lost') return 'none';
        if (taken === 'more' || decide()) continue;
        const found = assignment.values.slice();
        return { holds: (literal) => found[literal] === 1 };
      }
    }
    return isLost ? 'none' : 'unknown';
  };
  return { add, solve };
};
