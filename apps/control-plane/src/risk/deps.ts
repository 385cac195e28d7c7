import type { Ports } from '@svc/enforcement/ports/ports.ts';

/** Dependencies of the handlers of risk. */
export type RiskDeps = {
  /** The enforcement pipeline, which decides and records, and has no executor. */
  readonly pipeline: Ports;
};
