import type { Expectations } from './call-terms.ts';

/** Whether a status, or a class such as 2xx, is or holds another. */
export const matchesStatus = (written: string, status: string): boolean =>
  written === status || (written.endsWith('xx') && written.charAt(0) === status.charAt(0));

/** Whether one of them is that status; a class holds all of its own. */
export const isAmong = (written: readonly string[], status: number): boolean => written.some((each) => matchesStatus(each, String(status)));

const SUCCESS = '2xx';

/** Whether a status means that the action was carried out; without expectations that is any of 2xx. */
export const isSuccess = (expects: Pick<Expectations, 'success' | 'failure'> | null, status: number): boolean =>
  expects === null ? matchesStatus(SUCCESS, String(status)) : isAmong(expects.success, status) && !isAmong(expects.failure, status);
