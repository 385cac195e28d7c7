import { flushCompileCache } from 'node:module';
import type { Invariant } from '@svc/policy/prove/invariant.ts';
import type { Place } from '@svc/policy/prove/place.ts';
import { type PlaceVerdict, provePlace } from '@svc/policy/prove/prove-place.ts';

/** An invariant and all places in which it has to hold, in values that can be sent to another process. */
export type Question = { readonly invariant: Invariant; readonly places: readonly Place[] };

/** What was found in one place, by its number; the last one that is sent is the answer. */
export type Found = { readonly at: number; readonly verdict: PlaceVerdict };
export type Reply =
  | { readonly kind: 'looking'; readonly at: number }
  /** The first place that is broken, or else the first that is undecided; null when it is proved in all of them. */
  | { readonly kind: 'done'; readonly found: Found | null };

/** Steps for one invariant in all its places, and in one of them, which is a second or a few. */
const STEPS_MAX = 100_000_000;
const STEPS_OF_PLACE_MAX = 20_000_000;

const prove = ({ invariant, places }: Question, tell: (reply: Reply) => void): Found | null => {
  let left = STEPS_MAX;
  let open: Found | null = null;
  for (const [at, place] of places.entries()) {
    tell({ kind: 'looking', at });
    const given = Math.min(left, STEPS_OF_PLACE_MAX);
    const fuel = { left: given };
    const verdict = provePlace(invariant, place, fuel);
    left -= given - fuel.left;
    if (verdict.verdict === 'VIOLATED') return { at, verdict };
    if (verdict.verdict === 'UNDECIDED') open ??= { at, verdict };
  }
  return open;
};

process.on('message', (question) => {
  const tell = (reply: Reply): void => void process.send?.(reply);
  tell({ kind: 'done', found: prove(question as Question, tell) });
});
process.on('disconnect', () => process.exit(0));
// It may be ended from outside, after which nothing that was compiled would be kept for the next process.
flushCompileCache();
