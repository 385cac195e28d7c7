import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { KeyFault } from '@svc/program/keys/key-fault.ts';
import { LaunchFault } from './launch-fault.ts';
import { StoryFault } from './story-fault.ts';
import { findSystemFault } from './system-fault.ts';

/** Returns a sentence for each fault that a person can fix. Undefined for others, which are bugs and show their stack. */
export const listFaults = (error: unknown): readonly string[] | undefined => {
  if (error instanceof LaunchFault) return error.faults;
  if (error instanceof DatabaseServerFault || error instanceof KeyFault || error instanceof StoryFault) return [error.message];
  const fault = findSystemFault(error);
  return fault === undefined ? undefined : [fault];
};
