/** The exit code of a program that cannot start for lack of its database (EX_TEMPFAIL). A launcher restarts it without counting the exit. */
export const DATABASE_EXIT_CODE = 75;

const refuse = (faults: readonly string[], exitCode: number): never => {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exit(exitCode);
};

/** Prints one line per fault and exits. Nothing has been opened yet. */
export const refuseToStart = (faults: readonly string[]): never => refuse(faults, 1);

/** Exits because the database refuses this program. A later start may succeed without any change here. */
export const refuseForDatabase = (fault: string): never => refuse([fault], DATABASE_EXIT_CODE);
