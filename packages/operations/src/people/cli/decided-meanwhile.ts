import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';

/** Refuses a decision on a command-line request that was already decided or ended. */
export const refuseDecided = (): Refusal<'GONE'> =>
  buildRefusal('GONE', 'This command-line request has ended: it was decided or has expired. Start again in the terminal.');
