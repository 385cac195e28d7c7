import { isServiceError, type ServiceError } from '@svc/client/errors.ts';

/** Exit codes of the program. They are stable: scripts branch on them. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  signIn: 4,
  refused: 5,
  waits: 6,
  conflict: 7,
  rateLimited: 8,
  unavailable: 9,
  changes: 10,
  failed: 11,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'success',
  1: 'any other error',
  2: 'wrong usage, or an answer is needed and there is no terminal',
  3: 'not found',
  4: 'sign-in needed',
  5: 'refused (403)',
  6: 'waits for an approval or a review',
  7: 'conflict with the current state',
  8: 'rate limited',
  9: 'service unavailable',
  10: 'the plan has changes (--detailed-exitcode)',
  11: 'a test, proof or check failed',
  130: 'interrupted',
};

export const isExitCode = (value: unknown): value is ExitCode => Object.values<unknown>(EXIT).includes(value);

/** An error of a command itself, with the exit code of the program and the next step. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly remedy: string | undefined;

  constructor(exitCode: ExitCode, message: string, remedy?: string, code = 'COMMAND_FAILED') {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
    this.code = code;
    this.remedy = remedy;
  }
}

export const getUsageError = (message: string, remedy?: string): CommandError => new CommandError(EXIT.usage, message, remedy, 'USAGE');

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.signIn,
  403: EXIT.refused,
  404: EXIT.notFound,
  409: EXIT.conflict,
  410: EXIT.notFound,
  429: EXIT.rateLimited,
  502: EXIT.unavailable,
  503: EXIT.unavailable,
  504: EXIT.unavailable,
};

const serviceExit = ({ code, status }: ServiceError): ExitCode => {
  if (code === 'APPROVAL_REQUIRED') return EXIT.waits;
  if (status === undefined) return code === 'RESPONSE_UNREADABLE' ? EXIT.error : EXIT.unavailable;
  return BY_STATUS[status] ?? EXIT.error;
};

/** The exit code for an error that was thrown. */
export const chooseExitCode = (error: unknown): ExitCode => {
  if (error instanceof CommandError) return error.exitCode;
  return isServiceError(error) ? serviceExit(error) : EXIT.error;
};
