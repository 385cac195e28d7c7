import type { InvariantVerdict } from '@svc/contract/policies/invariants.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Urgency } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { whyNeverKnown } from '@svc/policy/language/never-known.ts';
import type { Invariant } from '@svc/policy/prove/invariant.ts';
import type { ProofScope } from '@svc/policy/prove/place.ts';
import type { PlaceVerdict, Undecided } from '@svc/policy/prove/prove-place.ts';
import { createFairQueue, type Turns } from '../../aside/in-turn.ts';
import { proveInWorkerProcess } from './prove-aside.ts';

/** Concurrent proofs of one process; each takes a process and its memory. Emergencies wait only for each other. */
const turns: Readonly<Record<Urgency, Turns>> = { usual: createFairQueue(2), emergency: createFairQueue(2) };

const BECAUSE = {
  too_much: 'Looking at every case would take too long.',
  not_foreseen: 'Some conditions depend on values that were not given, so their result is not exact.',
} as const;
const REMEDY =
  'It counts as not proved. Use "eq", "in", "starts_with" and "ends_with" instead of many "contains" or "matches" on one field, or give the rules that are named the same condition as the invariant.';

/** Formats what was not shown, and what to do about it. */
const told = ({ because, fields = [] }: Undecided): { readonly because: string; readonly remedy: string } => {
  if (because !== 'never_known') return { because: BECAUSE[because], remedy: REMEDY };
  const reasons = new Set(fields.flatMap((field) => whyNeverKnown(field) ?? []));
  return {
    because: `It rests on ${fields.join(', ')}, which no request holds. ${[...reasons].join(' ')}`,
    remedy: `It counts as not proved. State it without ${fields.join(', ')}, and give the rules that it rests on conditions on fields that requests hold.`,
  };
};

type Settled = Exclude<PlaceVerdict, { readonly verdict: 'PROVED' }>;

const shown = (answer: Settled, place: ProofScope | undefined, places: number): InvariantVerdict => {
  const name = place?.name ?? '';
  if (answer.verdict === 'UNDECIDED') {
    const undecided = { place: name, rules: [...answer.rules], ...told(answer) };
    return { verdict: 'UNDECIDED', places, counter_example: null, undecided };
  }
  const { given, amounts } = answer.counter_example;
  const { effect, matched_rule, reason } = answer.decision;
  const counter_example = { place: name, given: { ...given }, amounts: amounts && { ...amounts }, effect, matched_rule, reason };
  return { verdict: 'VIOLATED', places, counter_example, undecided: null };
};

/**
 * Proves an invariant scope by scope in a worker process, fairly queued by organization. Returns the first scope in which it is violated,
 * else an undecided one.
 */
export const proveInvariant = async (
  organizationId: string,
  invariant: Invariant,
  places: readonly ProofScope[],
  urgency: Urgency = 'usual',
): Promise<InvariantVerdict | Refusal<'RATE_LIMITED'>> => {
  const aside = await turns[urgency](organizationId, () => proveInWorkerProcess({ invariant, places }));
  if (isRefusal(aside)) return aside;
  const { length } = places;
  if ('given_up' in aside) return shown({ verdict: 'UNDECIDED', because: 'too_much', rules: [] }, places[aside.given_up], length);
  const { found } = aside;
  if (found === null || found.verdict.verdict === 'PROVED')
    return { verdict: 'PROVED', places: length, counter_example: null, undecided: null };
  return shown(found.verdict, places[found.at], length);
};
