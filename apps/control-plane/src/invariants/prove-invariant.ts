import { setImmediate } from 'node:timers/promises';
import type { InvariantVerdict } from '@svc/contract/invariants.ts';
import type { Invariant } from '@svc/policy/invariants/invariant.ts';
import type { Place } from '@svc/policy/invariants/place.ts';
import { type PlaceVerdict, provePlace } from '@svc/policy/invariants/prove-place.ts';
import { inTurn } from '../policies/in-turn.ts';

/** Steps for one invariant in all its places, and in one of them, which is about a second; other calls wait as long as the one takes. */
const STEPS_MAX = 100_000_000;
const STEPS_OF_PLACE_MAX = 20_000_000;

const BECAUSE = {
  too_much: 'Looking at every case would take too long.',
  not_foreseen: 'What some conditions say of values that nobody named cannot be foreseen exactly.',
} as const;
const REMEDY =
  'It counts as not proved. Use "eq", "in", "starts_with" and "ends_with" instead of many "contains" or "matches" on one field, or give the rules that are named the same condition as the invariant.';

type Settled = Exclude<PlaceVerdict, { readonly verdict: 'PROVED' }>;

const shown = (answer: Settled, place: Place, places: number): InvariantVerdict => {
  if (answer.verdict === 'UNDECIDED') {
    const undecided = { place: place.name, because: BECAUSE[answer.because], rules: [...answer.rules], remedy: REMEDY };
    return { verdict: 'UNDECIDED', places, counter_example: null, undecided };
  }
  const { given, amounts } = answer.counter_example;
  const { effect, matched_rule, reason } = answer.decision;
  const counter_example = { place: place.name, given: { ...given }, amounts: amounts && { ...amounts }, effect, matched_rule, reason };
  return { verdict: 'VIOLATED', places, counter_example, undecided: null };
};

/** Proves an invariant place by place; other calls are served in between. The first place that is broken is answered, or else one that is undecided. */
export const proveInvariant = (invariant: Invariant, places: readonly Place[]): Promise<InvariantVerdict> =>
  inTurn(async () => {
    let left = STEPS_MAX;
    let open: InvariantVerdict | null = null;
    for (const place of places) {
      const given = Math.min(left, STEPS_OF_PLACE_MAX);
      const fuel = { left: given };
      const answer = provePlace(invariant, place, fuel);
      left -= given - fuel.left;
      if (answer.verdict === 'VIOLATED') return shown(answer, place, places.length);
      if (answer.verdict === 'UNDECIDED') open ??= shown(answer, place, places.length);
      await setImmediate();
    }
    return open ?? { verdict: 'PROVED', places: places.length, counter_example: null, undecided: null };
  });
