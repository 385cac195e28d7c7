import type { VersionBody } from '@svc/contract/policies/language.ts';
import { opposite } from '@svc/solver/clauses/clauses.ts';
import { newSolver } from '@svc/solver/clauses/satisfy.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { encodeRules } from '../prove/encode-rules.ts';

/** Questions about all requests there can be, by the positions of rules; `false` is proven, `true` says nothing, since time may be up. */
export type Exact = {
  /** Whether a request may make the rule match and none of the others. */
  readonly mayMatchAlone: (position: number, others: readonly number[]) => boolean;
};

const nothingKnown: Exact = { mayMatchAlone: () => true };

const open = ({ rules }: Pick<VersionBody, 'rules'>, fuel: Fuel): Exact => {
  const written = rules.map((rule) => ({ rule, currency: '' }));
  const encoded = encodeRules(written, { bounds: {} }, fuel, 'open');
  if (encoded === null) return nothingKnown;
  const { clauses, matches } = encoded;
  const solver = newSolver(clauses.variables());
  for (const clause of clauses.list) {
    fuel.left -= clause.length;
    solver.add(clause);
  }
  const mayMatchAlone = (position: number, others: readonly number[]): boolean => {
    const match = matches[position];
    if (match === undefined) return true;
    const none = others.flatMap((other) => (matches[other] === undefined ? [] : [opposite(matches[other])]));
    return solver.solve(fuel, [match, ...none]) !== 'none';
  };
  return { mayMatchAlone };
};

/**
 * Puts a version to the solver that proves invariants: what it knows of fields that belong together, of patterns and of spellings then counts.
 * Of fields that are never known nothing is concluded. It is asked only while there is fuel of both kinds: its own, and that of what is
 * looked at without it.
 */
export const openExact = (body: Pick<VersionBody, 'rules'>, fuel: Fuel, plain: Fuel): Exact => {
  let opened: Exact | null = null;
  const mayMatchAlone = (position: number, others: readonly number[]): boolean => {
    if (fuel.left < 0 || plain.left < 0) return true;
    opened ??= open(body, fuel);
    return opened.mayMatchAlone(position, others);
  };
  return { mayMatchAlone };
};
