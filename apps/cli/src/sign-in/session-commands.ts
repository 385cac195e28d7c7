import { createControlClient } from '@svc/client/client.ts';
import { bearerTransport } from '@svc/client/transports/bearer.ts';
import { getUsageError } from '../exit-codes.ts';
import { getStoredProfiles, readToken, removeToken, saveToken } from '../files/credentials-file.ts';
import { saveProfile } from '../files/profiles.ts';
import { printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import { API_KEY_PREFIX } from '../session/open-cli.ts';
import { stepUpNow } from '../session/require-person.ts';
import { stepUpInBrowser } from '../session/step-up-browser.ts';
import { escapeControlCharacters, readStdin } from '../terminal/io.ts';
import { signInDevice, signInLoopback } from './sign-in-browser.ts';
import { type PasswordOptions, signInPassword } from './sign-in-password.ts';

export type LoginOptions = PasswordOptions & {
  readonly device?: boolean;
  readonly browser?: boolean;
  readonly password?: boolean;
  readonly tokenStdin?: boolean;
};

const obtainToken = async (cli: Cli, options: LoginOptions): Promise<string> => {
  if (options.tokenStdin) return (await readStdin(cli.io)).trim();
  if (options.password || options.passwordStdin) return signInPassword(cli, options);
  const isDevice = options.device || (!options.browser && (cli.settings.remote || !cli.io.interactive));
  const { token } = await (isDevice ? signInDevice(cli) : signInLoopback(cli));
  return token;
};

const newClient = (url: string, token: string) => createControlClient({ transport: bearerTransport({ url, token }) });

/** Signs in and remembers address, organization and token of the profile. */
export const login = async (cli: Cli, options: LoginOptions): Promise<void> => {
  const url = cli.url();
  const token = await obtainToken(cli, options);
  const session = await newClient(url, token).getSession();
  await saveToken(cli.settings, cli.profileName, url, token);
  await saveProfile(cli.settings, cli.profileName, { url, organization: session.organization.name, email: session.user?.email });
  printResult(cli, { profile: cli.profileName, url, principal: session.principal, organization: session.organization }, () => {
    cli.io.note(
      `Signed in to ${escapeControlCharacters(session.organization.name)} as ${escapeControlCharacters(session.user?.email ?? session.principal.name)} (profile ${cli.profileName}).`,
    );
    cli.io.note('Next: svc status');
  });
};

/** Ends a session at the service and removes its token. The token is removed also if the service cannot be reached. */
const endOne = async (cli: Cli, profile: string, url: string): Promise<string> => {
  const token = readToken(cli.settings, profile, url);
  let ended = 'removed here';
  if (token !== undefined && !token.startsWith(API_KEY_PREFIX)) {
    const outcome = await newClient(url, token).request('logout');
    const code = outcome.ok ? 'UNAUTHENTICATED' : outcome.error.code;
    if (['UNAUTHENTICATED', 'SESSION_EXPIRED'].includes(code)) ended = 'ended';
    else cli.io.note(`${url} did not end the session (${code}). End it in the console.`);
  }
  await removeToken(cli.settings, profile);
  return ended;
};

export const logout = async (cli: Cli, options: { readonly all?: boolean }): Promise<void> => {
  const stored = getStoredProfiles(cli.settings).filter(({ profile }) => options.all || profile === cli.profileName);
  const results: { readonly profile: string; readonly url: string; readonly session: string }[] = [];
  for (const { profile, url } of stored) results.push({ profile, url, session: await endOne(cli, profile, url) });
  printResult(cli, results, () => {
    if (results.length === 0) cli.io.note('Not signed in.');
    for (const { profile, session } of results)
      cli.io.note(`Signed out of profile ${escapeControlCharacters(profile)}: session ${session}.`);
  });
};

export const whoami = async (cli: Cli): Promise<void> => {
  const { client, url, source, profileName } = await cli.connect();
  const session = await client.getSession();
  const { csrf_token: _, ...shown } = session;
  printResult(cli, { ...shown, url, profile: profileName, credential: source }, () => {
    const { io } = cli;
    io.out(
      `${escapeControlCharacters(session.user?.name ?? session.principal.name)}${session.user === null ? ' (API key)' : ` <${escapeControlCharacters(session.user.email)}>`}`,
    );
    io.out(`Organization  ${escapeControlCharacters(session.organization.name)}`);
    io.out(`Address       ${url}`);
    io.out(`Profile       ${profileName} (credential: ${source})`);
    io.out(`Expires       ${session.expires_at}`);
    io.out(`Step-up       ${session.step_up_expires_at ?? 'not now'}`);
    io.out(`Permissions   ${session.permissions.length}`);
  });
};

type StepUpOptions = { readonly browser?: boolean; readonly passwordStdin?: boolean; readonly codeStdin?: boolean };

/** Re-authenticates, so that guarded commands run for some minutes. */
export const stepUp = async (cli: Cli, options: StepUpOptions): Promise<void> => {
  const connection = await cli.connect();
  if (connection.isKey) throw getUsageError('An API key cannot step up.', 'Sign in as a person: svc login.');
  if (options.browser) await stepUpInBrowser(cli, connection);
  else if (options.passwordStdin || options.codeStdin) {
    const secret = (await readStdin(cli.io)).replace(/\r?\n$/, '');
    await connection.client.stepUp({ body: options.passwordStdin ? { password: secret } : { code: secret } });
  } else await stepUpNow(cli, connection);
  const { step_up_expires_at } = await connection.client.getSession();
  printResult(cli, { step_up_expires_at }, () => cli.io.note(`Confirmed until ${step_up_expires_at}.`));
};
