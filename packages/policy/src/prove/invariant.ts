import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { strictness } from '../language/effects.ts';

/**
 * A property of every decision under any policies: each request that meets the condition is decided at least, or at most,
 * as strictly as named. Without a condition every request meets it. With `if_missing` it is also met if it is unknown.
 */
export type Invariant = {
  readonly when?: PolicyRule['when'];
  readonly if_missing?: 'match';
  readonly at_least?: Effect;
  readonly at_most?: Effect;
  /** The currency of its amounts; optional if there is one currency only. */
  readonly currency?: string;
};

/** Returns the condition as a rule that blocks, so that the engine itself determines which requests meet it. */
export const toProbeRule = ({ when, if_missing }: Invariant): PolicyRule => ({
  id: 'invariant',
  effect: 'BLOCK',
  reason: 'invariant',
  ...(when === undefined ? {} : { when }),
  ...(if_missing === undefined ? {} : { if_missing }),
});

/** Returns true if a decision on a request that meets the condition breaks the invariant. */
export const violatesInvariant = ({ at_least, at_most }: Invariant, effect: Effect): boolean =>
  (at_least !== undefined && strictness(effect) < strictness(at_least)) ||
  (at_most !== undefined && strictness(effect) > strictness(at_most));
