import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { readGiven } from '../language/read-given.ts';
import type { FoundRequest } from '../prove/request-from.ts';
import type { Comparison } from './comparisons.ts';

/** The decisions of the engine on one request before and after a change. */
export type BothDecisions = { readonly before: PolicyDecision; readonly after: PolicyDecision };

/** Runs in a worker process, which has bounds of its own. */
const UNBOUNDED = Number.POSITIVE_INFINITY;

/** Creates a function by which the engine decides a request before and after a change; null if the request is not valid. */
export const openChangeJudge = ({ before, after }: Comparison): ((request: FoundRequest) => BothDecisions | null) => {
  const [old, current] = [compileSet(before.map(compileVersion)), compileSet(after.map(compileVersion))];
  return ({ given, amounts }) => {
    const read = readGiven(given);
    if (!read.ok) return null;
    const context = amounts === null ? read.context : { ...read.context, amounts: new Map(Object.entries(amounts)) };
    return { before: evaluate(old, context, UNBOUNDED), after: evaluate(current, context, UNBOUNDED) };
  };
};
