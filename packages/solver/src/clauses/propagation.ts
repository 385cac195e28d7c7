import type { Fuel } from '../fuel.ts';
import { type Clause, type ClauseAssignment, UNDECIDED } from './assignment.ts';
import { type Literal, opposite } from './clauses.ts';

/** Moves the false watched literal to index 1 and returns the other watched literal (unit propagation with two watched literals). */
const moveFalseLiteralSecond = (clause: Clause, falseLiteral: Literal): Literal => {
  if (clause[0] === falseLiteral) {
    clause[0] = clause[1] as Literal;
    clause[1] = falseLiteral;
  }
  return clause[0] as Literal;
};

/** Returns the index of another literal to watch, beyond the first two; -1 if there is none. */
const findWatchIndex = (clause: Clause, stateOf: ClauseAssignment['stateOf']): number => {
  for (let index = 2; index < clause.length; index++) if (stateOf(clause[index] as Literal) !== 0) return index;
  return -1;
};

/** The clauses that watch a literal, by literal. */
type Watches = Clause[][];

const watch = (watches: Watches, clause: Clause): void => {
  watches[clause[0] as Literal]?.push(clause);
  watches[clause[1] as Literal]?.push(clause);
};

/** Watches another literal instead of the second, which is false; returns false if there is none. */
const replaceWatch = (watches: Watches, clause: Clause, falseLiteral: Literal, stateOf: ClauseAssignment['stateOf']): boolean => {
  const index = findWatchIndex(clause, stateOf);
  if (index < 0) return false;
  clause[1] = clause[index] as Literal;
  clause[index] = falseLiteral;
  watches[clause[1]]?.push(clause);
  return true;
};

/** Propagates implications: each clause watches two literals, its first two, and is visited only when one of them becomes false. */
export const createPropagation = ({ trail, stateOf, take }: ClauseAssignment, variables: number) => {
  const watches: Watches = Array.from({ length: 2 * variables }, () => []);
  let head = 0;

  /** Returns a conflicting clause, or null. */
  const propagateOne = (falseLiteral: Literal, fuel: Fuel): Clause | null => {
    const watching = watches[falseLiteral] ?? [];
    let kept = 0;
    let conflict: Clause | null = null;
    fuel.left -= 1 + (watching.length >> 1);
    for (const clause of watching) {
      if (conflict === null) {
        const first = moveFalseLiteralSecond(clause, falseLiteral);
        if (stateOf(first) !== 1 && replaceWatch(watches, clause, falseLiteral, stateOf)) continue;
        if (stateOf(first) === 0) conflict = clause;
        else if (stateOf(first) === UNDECIDED) take(first, clause);
      }
      watching[kept++] = clause;
    }
    watching.length = kept;
    return conflict;
  };
  return {
    watch: (clause: Clause): void => watch(watches, clause),
    /** Propagates all pending assignments; returns the first conflicting clause, or null. */
    propagate: (fuel: Fuel): Clause | null => {
      head = Math.min(head, trail.length);
      while (head < trail.length) {
        const conflict = propagateOne(opposite(trail[head++] as Literal), fuel);
        if (conflict !== null) return conflict;
      }
      return null;
    },
    /** Resets the queue after backjumping, so that undone assignments are propagated again. */
    rewind: (): void => {
      head = Math.min(head, trail.length);
    },
  };
};
