import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ClockFault } from '@svc/program/clock/database-clock.ts';

const direction = (seconds: number): string => `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'}`;

/** Returns what is wrong with the clocks and the remedy, in a sentence or two. */
export const describeClockFault = ({ kind, seconds, allowedSeconds }: ClockFault): string => {
  if (kind === 'apart')
    return `The clock of this process is ${direction(seconds)} the database's, and ${allowedSeconds} s are allowed. Synchronize the clocks of both machines.`;
  if (kind === 'set')
    return `The clock of the database was changed and is ${direction(seconds)} the time of this process; ${allowedSeconds} s are allowed. Correct the clock; a correct time is adopted within a minute.`;
  return `The database time has not been read for ${seconds} s.`;
};

/** Refusal of a plane that does not know the time for certain. */
export const findClockRefusal = (fault: ClockFault): Refusal<'DEPENDENCY_UNAVAILABLE'> =>
  buildRefusal('DEPENDENCY_UNAVAILABLE', describeClockFault(fault), {
    part: 'clock',
    ...(fault.kind === 'apart' ? { ahead_seconds: fault.seconds } : {}),
    ...(fault.kind === 'set' ? { database_ahead_seconds: fault.seconds } : {}),
    allowed_seconds: fault.allowedSeconds,
  });
