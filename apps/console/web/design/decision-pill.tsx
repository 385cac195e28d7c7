import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { StatusPill, type Tone } from './status-pill.tsx';

export const DECISION_WORDS: Readonly<Record<Effect, string>> = {
  ALLOW: 'Allowed',
  MASK: 'Masked',
  LIMIT: 'Limited',
  REQUIRE_APPROVAL: 'Held',
  BLOCK: 'Blocked',
};
export const DECISION_TONES: Readonly<Record<Effect, Tone>> = {
  ALLOW: 'allowed',
  MASK: 'masked',
  LIMIT: 'limited',
  REQUIRE_APPROVAL: 'held',
  BLOCK: 'blocked',
};

/** The decision on an action, as icon and word. */
export const DecisionPill = ({ decision }: { readonly decision: Effect }): ReactNode => (
  <StatusPill tone={DECISION_TONES[decision]}>{DECISION_WORDS[decision]}</StatusPill>
);
