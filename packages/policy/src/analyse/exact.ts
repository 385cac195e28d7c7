import type { VersionBody } from '@svc/contract/policy-language.ts';
import { opposite } from '../invariants/clauses.ts';
import { encodeRules } from '../invariants/encode-rules.ts';
import { type Answer, newSolver } from '../invariants/satisfy.ts';
import type { Fuel } from './cells.ts';

/** Questions about all requests there can be, by the positions of rules; `false` is proven, `true` says nothing, since time may be up. */
export type Exact = {
  /** Whether a request may make the rule match and none of the others. */
  readonly mayMatchAlone: (position: number, others: readonly number[]) => boolean;
};

/**
 * Puts a version to the solver that proves invariants: what it knows of fields that belong together, of patterns and of spellings then counts.
 * Of fields that are never known nothing is concluded.
 */
export const openExact = ({ rules }: VersionBody, fuel: Fuel): Exact => {
  const written = rules.map((rule) => ({ rule, currency: '' }));
  const encoded = fuel.left < 0 ? null : encodeRules(written, { bounds: {} }, fuel, 'open');
  if (encoded === null) return { mayMatchAlone: () => true };
  const { clauses, matches } = encoded;
  const solver = newSolver(clauses.variables());
  for (const clause of clauses.list) {
    fuel.left -= clause.length;
    solver.add(clause);
  }
  const mayMatchAlone = (position: number, others: readonly number[]): boolean => {
    const match = matches[position];
    if (match === undefined || fuel.left < 0) return true;
    const answer: Answer = solver.solve(fuel, [
      match,
      ...others.flatMap((other) => (matches[other] === undefined ? [] : [opposite(matches[other])])),
    ]);
    return answer !== 'none';
  };
  return { mayMatchAlone };
};
