const write = (line: Readonly<Record<string, unknown>>): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** The first line on standard output: what a launcher waits for. */
export const announce = (facts: Readonly<Record<string, unknown>>): void => write({ ready: true, ...facts });

/** Tells the launcher that this program waits, so that it neither ends it for being late nor counts it as failed. */
export const announceWaiting = (reason: string): void => write({ waiting: reason });
