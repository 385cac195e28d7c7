import { type DestinationStream, type Logger, pino } from 'pino';

/** Names whose values never reach a log, wherever they stand. */
const SECRET_PATHS = ['password', 'token', 'private_key', 'assertion', 'authorization', 'secret', 'api_key', 'cookie'];

/** JSON lines to standard error, written in batches so that logging does not wait for the terminal. */
export const newLogger = (
  plane: string,
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false, minLength: 4096 }),
): Logger =>
  pino(
    {
      level,
      base: { plane },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    },
    destination,
  );
