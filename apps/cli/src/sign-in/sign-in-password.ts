import type { ControlClient } from '@svc/client/client.ts';
import { CommandError, EXIT, getUsageError } from '../exit-codes.ts';
import type { Cli } from '../session/cli.ts';
import { askChoice, askSecret, askText } from '../terminal/ask.ts';
import { readStdin } from '../terminal/io.ts';

const CODE_METHODS: Readonly<Record<string, string>> = { TOTP: 'a code of your authenticator app', RECOVERY_CODE: 'a recovery code' };

const completeChallenge = async (cli: Cli, client: ControlClient, challenge: string, methods: readonly string[]): Promise<string> => {
  const usable = methods.filter((method) => method in CODE_METHODS);
  if (usable.length === 0)
    throw new CommandError(
      EXIT.signIn,
      `This account signs in with: ${methods.join(', ')}.`,
      'Use a browser: svc login, or svc login --device.',
      'MFA_REQUIRED',
    );
  const method =
    usable.length === 1
      ? usable[0]
      : await askChoice(
          cli.io,
          'Second factor',
          usable.map((value) => ({ value, label: CODE_METHODS[value] ?? value })),
        );
  const code = await askSecret(cli.io, 'Code', 'A code of the second factor');
  const proof = method === 'RECOVERY_CODE' ? { recovery_code: code } : { code };
  const { token } = await client.verifyMfa({ body: { mfa_challenge: challenge, ...proof } });
  return token;
};

export type PasswordOptions = { readonly email?: string | undefined; readonly passwordStdin?: boolean | undefined };

/** Signs in with e-mail and password. The password is read without echo or from standard input, never from an argument. */
export const signInPassword = async (cli: Cli, options: PasswordOptions): Promise<string> => {
  const client = cli.anonymous();
  const email = options.email ?? cli.settings.email ?? (await askText(cli.io, 'E-mail', '--email'));
  const password = options.passwordStdin
    ? (await readStdin(cli.io)).replace(/\r?\n$/, '')
    : (cli.settings.password ?? (await askSecret(cli.io, 'Password', 'The password (--password-stdin)')));
  if (password === '') throw getUsageError('The password is empty.');
  const answer = await client.login({ body: { email, password } });
  if ('token' in answer) return answer.token;
  return completeChallenge(cli, client, answer.mfa_challenge, answer.methods);
};
