import type { Fuel } from '../analyse/cells.ts';
import { type Literal, opposite } from './clauses.ts';
import { newOrder } from './variable-order.ts';

/** `none`: proven that nothing fulfils the clauses. `unknown`: given up. Otherwise, for each variable, whether it holds. */
export type Answer = 'none' | 'unknown' | { readonly holds: (literal: Literal) => boolean };

type Clause = Literal[];
const OPEN = -1;
const NONE: Literal = -1;
const RESTART_AFTER = 128;

/**
 * Looks for an assignment that fulfils all clauses, by deciding, propagating and learning from each conflict (MiniSat's method).
 * More clauses may be added between two questions; what was learned stays.
 */
export const newSolver = (variables: number) => {
  /** By literal: 1 holds, 0 does not, OPEN. */
  const values = new Int8Array(2 * variables).fill(OPEN);
  const levels = new Int32Array(variables);
  const reasons: (Clause | null)[] = new Array(variables).fill(null);
  const phases = new Int8Array(variables);
  const watches: Clause[][] = Array.from({ length: 2 * variables }, () => []);
  const trail: Literal[] = [];
  const marks: number[] = [];
  const order = newOrder(variables);
  let head = 0;
  let isLost = false;

  const stateOf = (literal: Literal): number => values[literal] ?? OPEN;
  const take = (literal: Literal, reason: Clause | null): void => {
    values[literal] = 1;
    values[opposite(literal)] = 0;
    levels[literal >> 1] = marks.length;
    reasons[literal >> 1] = reason;
    trail.push(literal);
  };
  const backTo = (level: number): void => {
    const length = marks[level] ?? trail.length;
    for (let literal = trail.length > length ? trail.pop() : undefined; literal !== undefined; ) {
      values[literal] = OPEN;
      values[opposite(literal)] = OPEN;
      phases[literal >> 1] = (literal & 1) === 0 ? 1 : 0;
      order.putBack(literal >> 1);
      literal = trail.length > length ? trail.pop() : undefined;
    }
    marks.length = Math.min(marks.length, level);
    head = Math.min(head, trail.length);
  };

  /** Looks for another literal to watch; false when there is none. */
  const rewatch = (clause: Clause, lost: Literal): boolean => {
    for (let place = 2; place < clause.length; place++) {
      const literal = clause[place] as Literal;
      if (stateOf(literal) === 0) continue;
      clause[1] = literal;
      clause[place] = lost;
      watches[literal]?.push(clause);
      return true;
    }
    return false;
  };
  const propagateOne = (lost: Literal, fuel: Fuel): Clause | null => {
    const watching = watches[lost] ?? [];
    let kept = 0;
    let conflict: Clause | null = null;
    fuel.left -= 1 + (watching.length >> 1);
    for (let place = 0; place < watching.length; place++) {
      const clause = watching[place] as Clause;
      if (conflict !== null) {
        watching[kept++] = clause;
        continue;
      }
      if (clause[0] === lost) {
        clause[0] = clause[1] as Literal;
        clause[1] = lost;
      }
      const first = clause[0] as Literal;
      if (stateOf(first) !== 1 && rewatch(clause, lost)) continue;
      watching[kept++] = clause;
      if (stateOf(first) === 0) conflict = clause;
      else if (stateOf(first) === OPEN) take(first, clause);
    }
    watching.length = kept;
    return conflict;
  };
  const propagate = (fuel: Fuel): Clause | null => {
    while (head < trail.length) {
      const conflict = propagateOne(opposite(trail[head++] as Literal), fuel);
      if (conflict !== null) return conflict;
    }
    return null;
  };

  /** The clause that a conflict teaches, its first literal the one to turn, and the level to go back to. */
  const learn = (conflict: Clause): { readonly clause: Clause; readonly level: number } => {
    const seen = new Set<number>();
    const clause: Clause = [0];
    let open = 0;
    let place = trail.length - 1;
    let reason: readonly Literal[] = conflict;
    let turned: Literal = NONE;
    do {
      for (const literal of reason) {
        const variable = literal >> 1;
        if (literal === turned || seen.has(variable) || levels[variable] === 0) continue;
        seen.add(variable);
        order.raise(variable);
        if (levels[variable] === marks.length) open += 1;
        else clause.push(literal);
      }
      while (!seen.has((trail[place] as Literal) >> 1)) place -= 1;
      turned = trail[place--] as Literal;
      reason = reasons[turned >> 1] ?? [];
      open -= 1;
    } while (open > 0);
    clause[0] = opposite(turned);
    return { clause, level: lastLevel(clause) };
  };
  /** Puts the literal of the latest level, beside the first, in second place. */
  const lastLevel = (clause: Clause): number => {
    let latest = 0;
    for (let place = 1; place < clause.length; place++) {
      const level = levels[(clause[place] as Literal) >> 1] ?? 0;
      if (level <= latest) continue;
      latest = level;
      [clause[1], clause[place]] = [clause[place] as Literal, clause[1] as Literal];
    }
    return latest;
  };

  const watch = (clause: Clause): void => {
    watches[clause[0] as Literal]?.push(clause);
    watches[clause[1] as Literal]?.push(clause);
  };
  const add = (literals: readonly Literal[]): void => {
    backTo(0);
    const distinct = new Set(literals);
    const clause = [...distinct].filter((literal) => stateOf(literal) !== 0);
    if (clause.some((literal) => stateOf(literal) === 1 || distinct.has(opposite(literal)))) return;
    const [only] = clause;
    if (only === undefined) isLost = true;
    else if (clause.length === 1) take(only, null);
    else watch(clause);
  };
  const resolve = (conflict: Clause): void => {
    const { clause, level } = learn(conflict);
    backTo(level);
    if (clause.length > 1) watch(clause);
    take(clause[0] as Literal, clause.length > 1 ? clause : null);
    order.age();
  };
  const decide = (): boolean => {
    for (let variable = order.next(); variable !== undefined; variable = order.next()) {
      if (stateOf(2 * variable) !== OPEN) continue;
      marks.push(trail.length);
      take(2 * variable + (phases[variable] === 1 ? 0 : 1), null);
      return true;
    }
    return false;
  };
  const solve = (fuel: Fuel): Answer => {
    let sinceRestart = 0;
    let restartAfter = RESTART_AFTER;
    for (;;) {
      if (isLost) return 'none';
      if (fuel.left < 0) return 'unknown';
      const conflict = propagate(fuel);
      if (conflict !== null) {
        if (marks.length === 0) isLost = true;
        else resolve(conflict);
        sinceRestart += 1;
      } else if (sinceRestart > restartAfter) {
        backTo(0);
        sinceRestart = 0;
        restartAfter *= 1.3;
      } else if (!decide()) {
        const found = values.slice();
        return { holds: (literal) => found[literal] === 1 };
      }
    }
  };
  return { add, solve };
};
