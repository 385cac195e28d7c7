import { maskMembers } from '@svc/policy/masks/mask-members.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { refuseToStart } from '../start/refuse-to-start.ts';
import { newLineWriter } from './line-writer.ts';
import { type LogFileBounds, openLogFile, openSink } from './log-file.ts';

/** What a handler adds to the line of its request: words of its own and ids that were checked, nothing else of what a caller gave. */
export type NotedFacts = {
  /** The agent that asked to be let in, by its own account. */
  readonly agent_id?: string | null;
  /** The check that it did not pass. */
  readonly check?: string;
};

/** What every answered request leaves in the log. Nothing of it is given by a caller but what the server checked. */
export type AccessLine = {
  readonly request_id: string;
  readonly trace_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Of what was refused: with which code, whose credential it showed where that was good, and the address it came from. */
  readonly refused_with?: string;
  readonly organization_id?: string;
  readonly actor_id?: string;
  readonly source_ip?: string;
} & NotedFacts;

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

/** Without a file, standard error. */
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

/** Lines are written in batches, the last of them when the process ends. */
export const openLog = (place: LogPlace): DestinationStream => {
  const lines = newLineWriter(openPlace(place));
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

/** JSON lines. */
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

/** An error keeps what helps an operator; its other members may hold rows of data. */
const readable = (line: Record<string, unknown>): Record<string, unknown> => {
  const { err, ...rest } = line;
  if (!(err instanceof Error)) return line;
  const { code, constraint, table } = err as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  return { ...rest, err: { type: err.name, message: err.message, stack: err.stack, code, constraint, table } };
};
