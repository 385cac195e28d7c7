import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { KeyFault } from '@svc/program/keys/key-fault.ts';
import { LaunchFault } from './launch-fault.ts';
import { StoryFault } from './story-fault.ts';
import { systemFault } from './system-fault.ts';

/** What a person can mend, a sentence for each fault. Undefined for what nobody can: that is a breakage, to be seen with its stack. */
export const faultsOf = (error: unknown): readonly string[] | undefined => {
  if (error instanceof LaunchFault) return error.faults;
  if (error instanceof DatabaseServerFault || error instanceof KeyFault || error instanceof StoryFault) return [error.message];
  const fault = systemFault(error);
  return fault === undefined ? undefined : [fault];
};
