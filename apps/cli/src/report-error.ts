import { isServiceError } from '@svc/client/errors.ts';
import { CommandError, chooseExitCode, EXIT, type ExitCode } from './exit-codes.ts';
import { removeToken } from './files/credentials-file.ts';
import type { Cli } from './session/cli.ts';
import { escapeControlCharacters } from './terminal/io.ts';

/** The parts of a failed command that the report uses. A command that could not be opened has no connection. */
type Failed = Pick<Cli, 'settings' | 'io' | 'json' | 'options'> & Partial<Pick<Cli, 'connect'>>;

type Reported = {
  readonly code: string;
  readonly message: string;
  readonly request_id?: string;
  readonly remedy?: string;
  readonly docs_url?: string;
  readonly details?: unknown;
};

const describeError = (error: unknown): Reported => {
  if (isServiceError(error)) {
    const { code, message, requestId, remedy, docsUrl, details } = error;
    return {
      code,
      message,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(remedy === undefined ? {} : { remedy }),
      ...(docsUrl === undefined ? {} : { docs_url: docsUrl }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
  }
  if (error instanceof CommandError)
    return { code: error.code, message: error.message, ...(error.remedy === undefined ? {} : { remedy: error.remedy }) };
  return { code: 'COMMAND_FAILED', message: error instanceof Error ? error.message : String(error) };
};

/** Removes a stored session that the service no longer accepts, so that the next command says to sign in. */
const forgetEnded = async (cli: Failed): Promise<string | undefined> => {
  const connection = await cli.connect?.().catch((error: unknown) => {
    if (error instanceof CommandError || isServiceError(error)) return undefined;
    throw error;
  });
  if (connection === undefined) return undefined;
  if (connection.source === 'environment') return 'SVC_TOKEN is not accepted: it was revoked, expired, or belongs to another installation.';
  if (connection.source === 'none') return undefined;
  await removeToken(cli.settings, connection.profileName);
  return 'Your session has ended: it was revoked or expired. The stored token is removed. Run: svc login';
};

const human = (cli: Failed, error: unknown, { code, message, request_id, remedy }: Reported): readonly string[] => {
  const faults = isServiceError(error) ? error.faults : [];
  const isService = isServiceError(error);
  return [
    `${cli.io.paint('red', 'error:')} ${escapeControlCharacters(message)}${isService ? ` (${escapeControlCharacters(code)})` : ''}`,
    ...faults.map(({ pointer, message: fault }) => `  ${escapeControlCharacters(pointer)}: ${escapeControlCharacters(fault)}`),
    ...(remedy === undefined ? [] : [`  ${escapeControlCharacters(remedy)}`]),
    ...(request_id === undefined ? [] : [`  request ${escapeControlCharacters(request_id)}`]),
    ...(isService && /^[A-Z_]+$/.test(code) ? [`  svc explain ${code}`] : []),
  ];
};

/** Prints an error on standard error and returns the exit code. In JSON mode it is the service's own error object. */
export const reportError = async (cli: Failed, error: unknown): Promise<ExitCode> => {
  const exitCode = chooseExitCode(error);
  const ended = isServiceError(error) && error.status === 401 ? await forgetEnded(cli) : undefined;
  const reported = describeError(error);
  const lines = cli.json ? [JSON.stringify({ error: reported })] : human(cli, error, reported);
  for (const line of lines) cli.io.stderr.write(`${line}\n`);
  if (ended !== undefined && !cli.json) cli.io.stderr.write(`${ended}\n`);
  if (cli.options.debug && error instanceof Error && error.stack !== undefined) cli.io.stderr.write(`${error.stack}\n`);
  return exitCode === EXIT.ok ? EXIT.error : exitCode;
};
