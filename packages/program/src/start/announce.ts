/** The first line on standard output: what a launcher waits for. */
export const announce = (facts: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify({ ready: true, ...facts })}\n`);
};
