const write = (line: Readonly<Record<string, unknown>>): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Prints the first line on standard output, which a launcher waits for. */
export const announce = (facts: Readonly<Record<string, unknown>>): void => write({ ready: true, ...facts });

/** Reports to the launcher that this program waits, so that the launcher does not kill it for being late or count it as failed. */
export const announceWaiting = (reason: string): void => write({ waiting: reason });
