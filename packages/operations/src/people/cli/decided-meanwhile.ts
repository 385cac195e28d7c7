import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';

/** Refuses a decision on a command-line request that was already decided or ended. */
export const decidedMeanwhile = (): Refusal<'GONE'> =>
  refusal('GONE', 'This command-line request has ended: it was decided or has expired. Start again in the terminal.');
