import type { Logger } from 'pino';

/**
 * What Node would write as plain text to standard error becomes a line of the log: warnings, and whatever nobody caught, after which the process
 * ends with exit code 1 as it would have.
 */
export const tellBreakage = (log: Logger): void => {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message));
  process.on('uncaughtException', (thrown: unknown) => {
    log.fatal({ err: thrown instanceof Error ? thrown : new Error(String(thrown)) }, 'the process failed and exits');
    process.exit(1);
  });
};
