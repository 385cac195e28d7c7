import { maskMembers } from '@svc/policy/masks/mask-members.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { refuseToStart } from '../start/refuse-to-start.ts';
import { newLineWriter } from './line-writer.ts';
import { type LogFileBounds, openLogFile, openSink } from './log-file.ts';

/** Facts that a handler adds to the line of its request: fixed words and validated ids, never other input of a caller. */
export type NotedFacts = {
  /** The agent that requested authentication, as it claims. */
  readonly agent_id?: string | null;
  /** The check that it failed. */
  readonly check?: string;
};

/** The access-log line of a request. It contains only the validated part of the caller's input. */
export type AccessLine = {
  readonly request_id: string;
  readonly trace_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** For a refusal: its code, the principal of a valid credential, and the client address. */
  readonly refused_with?: string;
  readonly organization_id?: string;
  readonly actor_id?: string;
  readonly source_ip?: string;
} & NotedFacts;

const isAccessLine = (line: object): boolean => 'route' in line;

/** Formats times; lines of the same millisecond share one formatted time. */
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

/** Standard error if no file is set. */
export type LogPlace = LogFileBounds & { readonly file: string | undefined };

const openPlace = ({ file, ...bounds }: LogPlace) => {
  if (file === undefined) return openSink(STANDARD_ERROR);
  try {
    return openLogFile(file, bounds);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw refuseToStart([
      `The log file ${file} cannot be written (${code}). Set SVC_LOG_FILE to a writable file, or unset it to log to standard error.`,
    ]);
  }
};

/** Writes lines in batches, the last one when the process ends. */
export const openLog = (place: LogPlace): DestinationStream => {
  const lines = newLineWriter(openPlace(place));
  process.once('exit', lines.flushSync);
  return lines;
};

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** Masks the message of a line; without one, that of its error, which would be written unmasked. */
const maskMessage: LogMethod = function maskMessage(args, method) {
  const [line, message] = args as [unknown, unknown];
  if (typeof line === 'string') return method.call(this, maskSecretText(line));
  if (typeof message === 'string') return method.call(this, line as object, maskSecretText(message));
  const error = (line as { readonly err?: unknown } | undefined)?.err;
  if (error instanceof Error) return method.call(this, line as object, maskSecretText(error.message));
  return method.apply(this, args);
};

const DEPTH_MAX = 7;

/** Writes JSON lines. */
export const newLogger = (plane: string, level: string, destination: DestinationStream): Logger =>
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

/** Keeps the members of an error that help an operator; others may contain data of rows. */
const readable = (line: Record<string, unknown>): Record<string, unknown> => {
  const { err, ...rest } = line;
  if (!(err instanceof Error)) return line;
  const { code, constraint, table } = err as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  return { ...rest, err: { type: err.name, message: err.message, stack: err.stack, code, constraint, table } };
};
