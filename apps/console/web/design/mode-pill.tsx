import type { Mode } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { StatusPill, type Tone } from './status-pill.tsx';

const WORDS: Readonly<Record<Mode, string>> = { OBSERVE: 'Observing', SIMULATE: 'Simulating', ENFORCE: 'Enforcing' };
const TONES: Readonly<Record<Mode, Tone>> = { OBSERVE: 'held', SIMULATE: 'limited', ENFORCE: 'allowed' };

/** The consequence of a mode. */
export const MODE_MEANING: Readonly<Record<Mode, string>> = {
  OBSERVE: 'Requests run even if a policy denies them. Decisions are recorded.',
  SIMULATE: 'Requests do not run. Decisions are recorded.',
  ENFORCE: 'Decisions apply. Requests that no policy allows are blocked.',
};

type ModePillProps = { readonly mode: Mode; readonly isPaused?: boolean };

/** The enforcement mode of an environment, in words. */
export const ModePill = ({ mode, isPaused = false }: ModePillProps): ReactNode =>
  isPaused ? (
    <StatusPill tone="blocked">Paused</StatusPill>
  ) : (
    <span title={MODE_MEANING[mode]}>
      <StatusPill tone={TONES[mode]}>{WORDS[mode]}</StatusPill>
    </span>
  );
