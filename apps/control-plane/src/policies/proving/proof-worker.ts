import { flushCompileCache } from 'node:module';
import type { Invariant } from '@svc/policy/prove/invariant.ts';
import type { ProofScope } from '@svc/policy/prove/place.ts';
import { type PlaceVerdict, provePlace } from '@svc/policy/prove/prove-place.ts';

/** An invariant and all scopes in which it must hold, in values that can be sent to another process. */
export type ProofTask = { readonly invariant: Invariant; readonly places: readonly ProofScope[] };

/** Result in one scope, by its number; the last one that is sent is the final answer. */
export type ScopeResult = { readonly at: number; readonly verdict: PlaceVerdict };
export type ProofReply =
  | { readonly kind: 'looking'; readonly at: number }
  /** The first scope in which it is violated, else the first undecided one; null if it is proved in all of them. */
  | { readonly kind: 'done'; readonly found: ScopeResult | null };

/** Maximum steps for one invariant in all scopes, and in one of them: a second or a few. */
const STEPS_MAX = 100_000_000;
const STEPS_OF_PLACE_MAX = 20_000_000;

const prove = ({ invariant, places }: ProofTask, tell: (reply: ProofReply) => void): ScopeResult | null => {
  let left = STEPS_MAX;
  let open: ScopeResult | null = null;
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
  const tell = (reply: ProofReply): void => void process.send?.(reply);
  tell({ kind: 'done', found: prove(question as ProofTask, tell) });
});
process.on('disconnect', () => process.exit(0));
// The process may be killed, after which the compile cache would not be written for the next one.
flushCompileCache();
