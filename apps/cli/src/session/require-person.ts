import { isServiceError } from '@svc/client/errors.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import type { CommandRow } from '../table/command-table.ts';
import { askChoice, askSecret } from '../terminal/ask.ts';
import type { Cli, Connection } from './cli.ts';

/** Refuses an API key before anything is sent, where the row says that only a person can do it. */
export const refuseKey = (row: Pick<CommandRow, 'words' | 'person' | 'stepUp'>, { isKey, url }: Connection): void => {
  if (!isKey || (!row.person && row.stepUp !== 'always')) return;
  const why = row.person ? 'It is a person’s own.' : 'It needs a re-authentication (step-up), which an API key cannot give.';
  throw new CommandError(
    EXIT.refused,
    `A person must run "svc ${row.words.join(' ')}". ${why} Nothing was sent.`,
    `Sign in with svc login, or use the console: ${url}`,
    row.person ? 'PERMISSION_DENIED' : 'STEP_UP_REQUIRED',
  );
};

/** Re-authenticates the person of the session, with the password or a code of a second factor. */
export const stepUpNow = async (cli: Cli, { client }: Connection): Promise<void> => {
  const factors = await client.request('getMfa');
  const hasFactor = factors.ok && factors.body.factors.length > 0;
  cli.io.note('Confirm it’s you.');
  const method = hasFactor
    ? await askChoice(cli.io, 'Confirm with', [
        { value: 'code', label: 'a code of your authenticator app' },
        { value: 'recovery_code', label: 'a recovery code' },
      ])
    : 'password';
  const labels = { code: 'Code', recovery_code: 'Recovery code', password: 'Password' };
  const secret = await askSecret(cli.io, labels[method], 'A re-authentication (svc step-up)');
  await client.stepUp({ body: { [method]: secret } });
};

const isFresh = (expiresAt: string | null): boolean => expiresAt !== null && Date.parse(expiresAt) > Date.now() + 5_000;

const explainMissing = (url: string): CommandError =>
  new CommandError(
    EXIT.refused,
    'This needs a re-authentication (step-up).',
    `Run "svc step-up" in a terminal first, or use the console: ${url}`,
    'STEP_UP_REQUIRED',
  );

/** Sends what needs a step-up always, or may need one: asks the person before it, or after the service asks for it. */
export const withStepUp = async <Result>(cli: Cli, stepUp: CommandRow['stepUp'], send: () => Promise<Result>): Promise<Result> => {
  const connection = await cli.connect();
  if (stepUp === 'always') {
    const { step_up_expires_at } = await connection.client.getSession();
    if (!isFresh(step_up_expires_at)) {
      if (!cli.io.interactive) throw explainMissing(connection.url);
      await stepUpNow(cli, connection);
    }
    return send();
  }
  try {
    return await send();
  } catch (error) {
    if (!isServiceError(error, 'STEP_UP_REQUIRED') || connection.isKey || !cli.io.interactive) throw error;
    await stepUpNow(cli, connection);
    return send();
  }
};
