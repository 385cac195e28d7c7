import type { Clause, ClauseAssignment } from './assignment.ts';
import { type Literal, opposite } from './clauses.ts';

const NONE: Literal = -1;

/** Moves the literal of the latest level, apart from the first, to second position and returns that level [backjumping of CDCL]. */
const lastLevel = ({ levels }: ClauseAssignment, clause: Clause): number => {
  let latest = 0;
  for (let place = 1; place < clause.length; place++) {
    const level = levels[(clause[place] as Literal) >> 1] ?? 0;
    if (level <= latest) continue;
    latest = level;
    [clause[1], clause[place]] = [clause[place] as Literal, clause[1] as Literal];
  }
  return latest;
};

/**
 * Returns the clause learned from a conflict, its first literal the one to flip, and the level to backjump to [conflict analysis: clause
 * learning at the first unique implication point, 1-UIP].
 */
export const analyseConflict = (assignment: ClauseAssignment, conflict: Clause): { readonly clause: Clause; readonly level: number } => {
  const { levels, reasons, trail, order, level } = assignment;
  const seen = new Set<number>();
  const clause: Clause = [NONE];
  let open = 0;
  let place = trail.length - 1;
  let reason: readonly Literal[] = conflict;
  let turned = NONE;
  do {
    for (const literal of reason) {
      const variable = literal >> 1;
      if (literal === turned || seen.has(variable) || levels[variable] === 0) continue;
      seen.add(variable);
      order.raise(variable);
      if (levels[variable] === level()) open += 1;
      else clause.push(literal);
    }
    while (!seen.has((trail[place] as Literal) >> 1)) place -= 1;
    turned = trail[place--] as Literal;
    reason = reasons[turned >> 1] ?? [];
    open -= 1;
  } while (open > 0);
  clause[0] = opposite(turned);
  return { clause, level: lastLevel(assignment, clause) };
};
