import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { Turns } from '../aside/in-turn.ts';

/** Dependencies of the handlers of risk. */
export type RiskDeps = {
  /** The enforcement pipeline, which decides and records, and has no executor. */
  readonly pipeline: Ports;
  /** Runs a verification of evidence when it is the turn of its organization. */
  readonly inVerificationTurn: Turns;
};
