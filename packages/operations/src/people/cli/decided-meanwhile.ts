import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';

/** Refuses a decision on a request of the command line that another decision or its end came before. */
export const decidedMeanwhile = (): Refusal<'GONE'> =>
  refusal('GONE', 'This command-line request has ended: it was decided or has expired. Start again in the terminal.');
