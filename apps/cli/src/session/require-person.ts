import { isServiceError } from '@svc/client/errors.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import type { CommandRow } from '../table/command-table.ts';
import { askChoice, askSecret } from '../terminal/ask.ts';
import type { Cli, CliConnection } from './cli.ts';
import { stepUpInBrowser } from './step-up-browser.ts';

/** Refuses an API key before anything is sent, where the row says that only a person can do it. */
export const refuseKey = (row: Pick<CommandRow, 'words' | 'person' | 'stepUp'>, { isKey, url }: CliConnection): void => {
  if (!isKey || (!row.person && row.stepUp !== 'always')) return;
  const why = row.person ? 'It is a person’s own.' : 'It needs a re-authentication (step-up), which an API key cannot give.';
  throw new CommandError(
    EXIT.refused,
    `A person must run "svc ${row.words.join(' ')}". ${why} Nothing was sent.`,
    `Sign in with svc login, or use the console: ${url}`,
    row.person ? 'PERMISSION_DENIED' : 'STEP_UP_REQUIRED',
  );
};

const METHODS = {
  browser: 'a passkey, in the browser',
  code: 'a code of your authenticator app',
  recovery_code: 'a recovery code',
  password: 'your password',
} as const;
type Method = keyof typeof METHODS;

const LABELS = { code: 'Code', recovery_code: 'Recovery code', password: 'Password' } as const;

/** Methods that prove this person: a passkey works in a browser only. */
const listMethods = async ({ client }: CliConnection): Promise<readonly Method[]> => {
  const answer = await client.request('getMfa');
  const kinds = answer.ok ? answer.body.factors.map(({ kind }) => kind) : [];
  if (kinds.length === 0) return ['password', 'browser'];
  return [
    ...(kinds.includes('PASSKEY') ? (['browser'] as const) : []),
    ...(kinds.includes('TOTP') ? (['code'] as const) : []),
    'recovery_code',
  ];
};

/** Re-authenticates the person of the session: in the terminal by a password or code, or in a browser by a passkey. */
export const stepUpNow = async (cli: Cli, connection: CliConnection): Promise<void> => {
  cli.io.note('Confirm it’s you.');
  const choices = (await listMethods(connection)).map((value) => ({ value, label: METHODS[value] }));
  const method = await askChoice(cli.io, 'Confirm with', choices, 'A re-authentication (svc step-up, or svc step-up --browser)');
  if (method === 'browser') return stepUpInBrowser(cli, connection);
  const secret = await askSecret(cli.io, LABELS[method]);
  await connection.client.stepUp({ body: { [method]: secret } });
};

const explainMissing = (message: string, url: string): CommandError =>
  new CommandError(EXIT.refused, message, `Run "svc step-up" in a terminal first, or use the console: ${url}`, 'STEP_UP_REQUIRED');

/** Sends, and where the service asks for a step-up lets the person confirm and sends again. Only the service knows whether one is fresh. */
export const withStepUp = async <Result>(cli: Cli, send: () => Promise<Result>): Promise<Result> => {
  try {
    return await send();
  } catch (error) {
    const connection = await cli.connect();
    if (!isServiceError(error, 'STEP_UP_REQUIRED') || connection.isKey) throw error;
    if (!cli.io.interactive) throw explainMissing(error.message, connection.url);
    await stepUpNow(cli, connection);
    return send();
  }
};
