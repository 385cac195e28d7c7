/** Every fault on its own line, then out. Nothing has been opened yet. */
export const refuseToStart = (faults: readonly string[]): never => {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exit(1);
};
