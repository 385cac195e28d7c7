import type { Logger } from 'pino';

/**
 * Logs process warnings and uncaught errors as log lines, which Node would write as plain text to standard error; after an uncaught error
 * the
 * process exits with code 1, as by default.
 */
export const reportBreakage = (log: Logger): void => {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message));
  process.on('uncaughtException', (thrown: unknown) => {
    log.fatal({ err: thrown instanceof Error ? thrown : new Error(String(thrown)) }, 'the process failed and exits');
    process.exit(1);
  });
};
