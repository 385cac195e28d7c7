import type { EnforcementStatus } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { ReactNode } from 'react';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';

const TONES: Readonly<Record<EnforcementStatus, Tone>> = {
  ENFORCED: 'allowed',
  PARTIAL: 'limited',
  DETECTED: 'held',
  UNKNOWN: 'unknown',
  BYPASSED: 'blocked',
};

/** Meaning of each enforcement status. */
export const ENFORCEMENT_MEANING: Readonly<Record<EnforcementStatus, string>> = {
  ENFORCED: 'Every known way around the service is prevented, and fresh evidence shows it.',
  PARTIAL: 'Most ways around the service are prevented. A medium finding or an accepted risk is open.',
  DETECTED: 'Nothing is prevented, but a bypass would be found.',
  UNKNOWN: 'Evidence is missing or too old.',
  BYPASSED: 'A way around the service is open.',
};

/** An enforcement status, computed from evidence. */
export const EnforcementPill = ({ status }: { readonly status: EnforcementStatus }): ReactNode => (
  <span title={ENFORCEMENT_MEANING[status]}>
    <StatusPill tone={TONES[status]}>{status.charAt(0) + status.slice(1).toLowerCase()}</StatusPill>
  </span>
);
