import type { Expectations } from './call-terms.ts';

/** Returns true if a status, or a class such as 2xx, includes another. */
export const matchesStatus = (written: string, status: string): boolean =>
  written === status || (written.endsWith('xx') && written.charAt(0) === status.charAt(0));

/** Returns true if the list includes a status; a class includes all of its own. */
export const isAmong = (written: readonly string[], status: number): boolean => written.some((each) => matchesStatus(each, String(status)));

const SUCCESS = '2xx';

/** Returns true if a status means success; by default any of 2xx. */
export const isSuccess = (expects: Pick<Expectations, 'success' | 'failure'> | null, status: number): boolean =>
  expects === null ? matchesStatus(SUCCESS, String(status)) : isAmong(expects.success, status) && !isAmong(expects.failure, status);
