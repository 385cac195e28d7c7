import type { VersionBody } from '@svc/contract/policies/language.ts';
import { opposite } from '@svc/solver/clauses/clauses.ts';
import { newSolver } from '@svc/solver/clauses/satisfy.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { encodeRules } from '../prove/encode-rules.ts';
import { ruleOut } from '../prove/prove-place.ts';
import { buildRequests } from '../prove/request-from.ts';
import type { ExampleInput } from './example-request.ts';

/**
 * Exact questions about all possible requests, by the positions of rules; `false` is proven, `true` means nothing, since the budget may be
 * used up.
 */
export type Exact = {
  /** Returns true if a request may make the rule match and none of the others. */
  readonly mayMatchAlone: (position: number, others: readonly number[]) => boolean;
  /** Returns a request that several rules match, by `isExample`; null if no request does, undefined if that could not be decided. */
  readonly findRequest: (positions: readonly number[], isExample: (given: ExampleInput) => boolean) => ExampleInput | null | undefined;
};

const nothingKnown: Exact = { mayMatchAlone: () => true, findRequest: () => undefined };

/** Failed examples after which no more are tried. */
const ATTEMPTS_MAX = 20;

const open = ({ rules }: Pick<VersionBody, 'rules'>, fuel: Fuel): Exact => {
  const written = rules.map((rule) => ({ rule, currency: '' }));
  const encoded = encodeRules(written, { bounds: {} }, fuel, 'open');
  if (encoded === null) return nothingKnown;
  const { clauses, matches, elements } = encoded;
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
  const findRequest: Exact['findRequest'] = (positions, isExample) => {
    const assumed = positions.flatMap((position) => matches[position] ?? []);
    let answer = solver.solve(fuel, assumed);
    if (answer === 'none') return null;
    // Exclusions here do not apply to other questions: they use a separate solver.
    const own = newSolver(clauses.variables());
    for (const clause of clauses.list) own.add(clause);
    for (let attempt = 0; attempt < ATTEMPTS_MAX && typeof answer === 'object'; attempt++) {
      const { holds } = answer;
      const found = buildRequests(encoded.encoded, holds, elements).find(({ given }) => isExample(given));
      if (found !== undefined) return found.given;
      ruleOut({ solver: own, encoded: encoded.encoded, elements }, holds);
      answer = own.solve(fuel, assumed);
    }
    return undefined;
  };
  return { mayMatchAlone, findRequest };
};

/**
 * Passes a version to the solver that proves invariants, which knows of dependent fields, patterns and encodings.
 * Nothing is concluded from fields that are never known. It runs only while both budgets last: its own, and that of the analysis without
 * it.
 */
export const openExact = (body: Pick<VersionBody, 'rules'>, fuel: Fuel, plain: Fuel): Exact => {
  let opened: Exact | null = null;
  const isOut = (): boolean => fuel.left < 0 || plain.left < 0;
  const mayMatchAlone = (position: number, others: readonly number[]): boolean => {
    if (isOut()) return true;
    opened ??= open(body, fuel);
    return opened.mayMatchAlone(position, others);
  };
  const findRequest: Exact['findRequest'] = (positions, isExample) => {
    if (isOut()) return undefined;
    opened ??= open(body, fuel);
    return opened.findRequest(positions, isExample);
  };
  return { mayMatchAlone, findRequest };
};
