import type { Fuel } from '../fuel.ts';
import { type Clause, type ClauseAssignment, UNDECIDED } from './assignment.ts';
import { type Literal, opposite } from './clauses.ts';

/**
 * Moves the false one of the two watched literals to second position and returns the other [unit propagation with two watched literals].
 */
const putLostSecond = (clause: Clause, lost: Literal): Literal => {
  if (clause[0] === lost) {
    clause[0] = clause[1] as Literal;
    clause[1] = lost;
  }
  return clause[0] as Literal;
};

/** Returns the index of another literal to watch, beyond the first two; -1 if there is none. */
const placeToWatch = (clause: Clause, stateOf: ClauseAssignment['stateOf']): number => {
  for (let place = 2; place < clause.length; place++) if (stateOf(clause[place] as Literal) !== 0) return place;
  return -1;
};

/** The clauses that watch a literal, by literal. */
type Watches = Clause[][];

const watch = (watches: Watches, clause: Clause): void => {
  watches[clause[0] as Literal]?.push(clause);
  watches[clause[1] as Literal]?.push(clause);
};

/** Watches another literal instead of the second, which is false; returns false if there is none. */
const rewatch = (watches: Watches, clause: Clause, lost: Literal, stateOf: ClauseAssignment['stateOf']): boolean => {
  const place = placeToWatch(clause, stateOf);
  if (place < 0) return false;
  clause[1] = clause[place] as Literal;
  clause[place] = lost;
  watches[clause[1]]?.push(clause);
  return true;
};

/** Propagates implications: each clause watches two literals, its first two, and is visited only when one of them becomes false. */
export const newPropagation = ({ trail, stateOf, take }: ClauseAssignment, variables: number) => {
  const watches: Watches = Array.from({ length: 2 * variables }, () => []);
  let head = 0;

  /** Returns a conflicting clause, or null. */
  const propagateOne = (lost: Literal, fuel: Fuel): Clause | null => {
    const watching = watches[lost] ?? [];
    let kept = 0;
    let conflict: Clause | null = null;
    fuel.left -= 1 + (watching.length >> 1);
    for (const clause of watching) {
      if (conflict === null) {
        const first = putLostSecond(clause, lost);
        if (stateOf(first) !== 1 && rewatch(watches, clause, lost, stateOf)) continue;
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
    /** Propagates everything; returns the first conflicting clause. */
    propagate: (fuel: Fuel): Clause | null => {
      head = Math.min(head, trail.length);
      while (head < trail.length) {
        const conflict = propagateOne(opposite(trail[head++] as Literal), fuel);
        if (conflict !== null) return conflict;
      }
      return null;
    },
    /** Resets the queue after backjumping, so that what was undone is propagated again. */
    rewind: (): void => {
      head = Math.min(head, trail.length);
    },
  };
};
