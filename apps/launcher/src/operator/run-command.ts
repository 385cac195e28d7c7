import { isRefusedLogin } from '@svc/postgres/connection/is-unavailable.ts';
import { listFaults } from '../faults/list-faults.ts';
import { escapeLine } from './escape-line.ts';

type OperatorCommand<Command> = {
  readonly usage: string;
  readonly asksForHelp: (words: readonly string[]) => boolean;
  /** Returns the command, or a sentence about invalid arguments. */
  readonly read: (words: readonly string[]) => Command | string;
  /** Returns true if all of it was done. */
  readonly run: (command: Command) => Promise<boolean>;
};

const getSentence = (error: unknown): string => {
  if (isRefusedLogin(error))
    return 'The database does not let this command in: the master key must be the one it was set up with, as SVC_MASTER_KEY or as master.key in the folder that DATA_DIR names.';
  return `The database could not be reached or queried: ${String(error)}`;
};

/** Formats a fault, which may have several lines. */
const shownFault = (fault: string): string => fault.split('\n').map(escapeLine).join('\n');

/** Runs a command of the operator; returns its exit code: 0 done, 1 failed or incomplete, 2 invalid arguments. */
export const runCommand = async <Command extends object>({ usage, asksForHelp, read, run }: OperatorCommand<Command>): Promise<number> => {
  // Settings for another PostgreSQL must not affect connections to the embedded one.
  if (!process.env.DATABASE_URL) for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
  // Exiting stops an embedded database that was started here.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const words = process.argv.slice(2);
  if (asksForHelp(words)) {
    console.log(usage);
    return 0;
  }
  const command = read(words);
  if (typeof command === 'string') {
    console.error(`${command}\n\n${usage}`);
    return 2;
  }
  try {
    return (await run(command)) ? 0 : 1;
  } catch (error) {
    console.error((listFaults(error) ?? [getSentence(error)]).map(shownFault).join('\n'));
    return 1;
  }
};
