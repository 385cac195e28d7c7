import { maskMembers } from '@svc/policy/mask-members.ts';
import { maskSecretText } from '@svc/policy/mask-secrets.ts';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { newLineWriter } from './line-writer.ts';

/** From telling everything to telling nothing. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What every answered request leaves in the log. Nothing of it is given by a caller but the method, which the server checked. */
export type AccessLine = {
  readonly request_id: string;
  readonly trace_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
};

const isAccessLine = (line: object): boolean => 'route' in line;

/** Lines of the same millisecond say the same time, which is written once. */
const newIsoTime = (): (() => string) => {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
};

const STANDARD_ERROR = 2;

const toStandardError = (): DestinationStream => {
  const lines = newLineWriter(STANDARD_ERROR);
  process.once('exit', lines.flushSync);
  return lines;
};

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** The message of a line; where none is given, that of the error it is about, which would be written as it is. */
const maskMessage: LogMethod = function maskMessage(args, method) {
  const [line, message] = args as [unknown, unknown];
  if (typeof line === 'string') return method.call(this, maskSecretText(line));
  if (typeof message === 'string') return method.call(this, line as object, maskSecretText(message));
  const error = (line as { readonly err?: unknown } | undefined)?.err;
  if (error instanceof Error) return method.call(this, line as object, maskSecretText(error.message));
  return method.apply(this, args);
};

const DEPTH_MAX = 7;

/** JSON lines to standard error. */
export const newLogger = (plane: string, level: string, destination: DestinationStream = toStandardError()): Logger =>
  pino(
    {
      level,
      base: { plane },
      timestamp: newIsoTime(),
      serializers: { err: (error: Error) => error },
      hooks: { logMethod: maskMessage },
      formatters: { log: (line) => (isAccessLine(line) ? line : maskMembers(readable(line), DEPTH_MAX)) },
    },
    destination,
  );

/** An error keeps what helps an operator; its other members may hold rows of data. */
const readable = (line: Record<string, unknown>): Record<string, unknown> => {
  const { err, ...rest } = line;
  if (!(err instanceof Error)) return line;
  const { code, constraint, table } = err as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  return { ...rest, err: { type: err.name, message: err.message, stack: err.stack, code, constraint, table } };
};
