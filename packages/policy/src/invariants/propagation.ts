import type { Fuel } from '../analyse/cells.ts';
import { type Assignment, type Clause, UNDECIDED } from './assignment.ts';
import { type Literal, opposite } from './clauses.ts';

/** Finds what follows: each clause is watched at two literals, its first two, and looked at only when one of them is lost. */
export const newPropagation = ({ trail, stateOf, take }: Assignment, variables: number) => {
  const watches: Clause[][] = Array.from({ length: 2 * variables }, () => []);
  let head = 0;

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
  const putLostSecond = (clause: Clause, lost: Literal): Literal => {
    if (clause[0] === lost) {
      clause[0] = clause[1] as Literal;
      clause[1] = lost;
    }
    return clause[0] as Literal;
  };
  /** A clause that is lost, or null. */
  const propagateOne = (lost: Literal, fuel: Fuel): Clause | null => {
    const watching = watches[lost] ?? [];
    let kept = 0;
    let conflict: Clause | null = null;
    fuel.left -= 1 + (watching.length >> 1);
    for (const clause of watching) {
      if (conflict === null) {
        const first = putLostSecond(clause, lost);
        if (stateOf(first) !== 1 && rewatch(clause, lost)) continue;
        if (stateOf(first) === 0) conflict = clause;
        else if (stateOf(first) === UNDECIDED) take(first, clause);
      }
      watching[kept++] = clause;
    }
    watching.length = kept;
    return conflict;
  };
  return {
    watch: (clause: Clause): void => {
      watches[clause[0] as Literal]?.push(clause);
      watches[clause[1] as Literal]?.push(clause);
    },
    /** All that follows, until a clause is lost, which is answered. */
    propagate: (fuel: Fuel): Clause | null => {
      head = Math.min(head, trail.length);
      while (head < trail.length) {
        const conflict = propagateOne(opposite(trail[head++] as Literal), fuel);
        if (conflict !== null) return conflict;
      }
      return null;
    },
    /** After going back: what was looked at and is no longer there is looked at anew. */
    rewind: (): void => {
      head = Math.min(head, trail.length);
    },
  };
};
