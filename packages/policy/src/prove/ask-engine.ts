import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { compileSet, compileUnbound } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { readGiven } from '../language/read-given.ts';
import { type Invariant, toProbeRule, violatesInvariant } from './invariant.ts';
import type { ProofScope } from './place.ts';
import type { FoundRequest, RequestInput } from './request-from.ts';

/**
 * Evaluates one request with the engine itself: returns the decision if the request meets the condition and breaks the invariant, otherwise
 * null.
 */
export type Judge = (request: FoundRequest) => PolicyDecision | null;

/** Runs in a process of its own, which has bounds of its own. */
const UNBOUNDED = Number.POSITIVE_INFINITY;

export const openJudge = (invariant: Invariant, place: Pick<ProofScope, 'versions'>): Judge => {
  const set = compileSet(place.versions.map(compileVersion));
  const { currency } = invariant;
  const source = { policy_id: '', policy_name: '', version_id: '', version_number: 0, binding: { scope: 'ORGANIZATION' as const, id: '' } };
  const probe = compileUnbound(
    compileVersion({ ...source, ...(currency === undefined ? {} : { currency }), body: { rules: [toProbeRule(invariant)], tests: [] } }),
  );
  return ({ given, amounts }) => {
    const amount = amounts === null || currency === undefined || given.amount === undefined ? {} : { amount: amounts[currency] };
    const read = readGiven({ ...given, ...amount });
    if (!read.ok) return null;
    const context = amounts === null ? read.context : { ...read.context, amounts: new Map(Object.entries(amounts)) };
    if (evaluate(probe, context, UNBOUNDED).matched_rule === null) return null;
    const decision = evaluate(set, context, UNBOUNDED);
    return violatesInvariant(invariant, decision.effect) ? decision : null;
  };
};

const ALWAYS_SENT = /^(principal|agent\.(?!labels)|environment|workspace|tool|capability|approval|time)/;

const isTornWithout = (name: string, rest: RequestInput): boolean =>
  (name === 'currency' && 'amount' in rest) ||
  (name.startsWith('destination') && Object.keys(rest).some((key) => key.startsWith('destination')));

/** Removes from the request everything that is not needed to break the invariant. */
export const shortenRequest = (request: FoundRequest, judge: Judge): FoundRequest => {
  let short = request;
  for (const name of Object.keys(request.given)) {
    if (ALWAYS_SENT.test(name)) continue;
    const { [name]: _, ...given } = short.given;
    const shorter = { given, amounts: name === 'amount' ? null : short.amounts };
    if (!isTornWithout(name, given) && judge(shorter) !== null) short = shorter;
  }
  return short;
};
