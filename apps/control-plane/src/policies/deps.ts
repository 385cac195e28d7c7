import type { Ports } from '@svc/enforcement/ports/ports.ts';

/** Dependencies of the handlers of policies. */
export type PoliciesDeps = {
  /** The enforcement pipeline, which decides and records, and has no executor. */
  readonly pipeline: Ports;
};
