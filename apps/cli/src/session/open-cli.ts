import { type ControlClient, createControlClient } from '@svc/client/client.ts';
import { bearerTransport } from '@svc/client/transports/bearer.ts';
import { CommandError, EXIT, getUsageError } from '../exit-codes.ts';
import { readToken, saveToken } from '../files/credentials-file.ts';
import { readProfiles } from '../files/profiles.ts';
import { findProjectFile } from '../files/project-file.ts';
import type { Settings } from '../settings.ts';
import { type Io, openIo } from '../terminal/io.ts';
import type { Cli, CliConnection, CredentialSource, GlobalOptions } from './cli.ts';
import { readTimeout } from './read-timeout.ts';

export const API_KEY_PREFIX = 'svc_key_';

const NO_ADDRESS = 'The address of the service is not known.';
const NO_ADDRESS_REMEDY = 'Run: svc login --url https://governance.example.com (once; it is remembered), or set SVC_URL.';

type Address = { readonly url: string; readonly isTrusted: boolean };

/** Checked addresses compare equal, and a path or query in one is a mistake. */
export const getNormalUrl = (url: string): string => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw getUsageError(`"${url}" is not an address of a service.`, 'Use an http or https address such as https://governance.example.com.');
  const { origin, pathname } = new URL(url);
  return [origin, ...pathname.split('/').filter((part) => part !== '')].join('/');
};

const signInFromEnvironment = async (settings: Settings, url: string, email: string, client: ControlClient): Promise<string> => {
  const answer = await client.login({ body: { email, password: settings.password ?? '' } });
  if (!('token' in answer)) {
    throw new CommandError(
      EXIT.signIn,
      'This account needs a second factor.',
      'Use an API key in SVC_TOKEN, or run svc login.',
      'MFA_REQUIRED',
    );
  }
  await saveToken(settings, environmentProfile(url, email), url, answer.token);
  return answer.token;
};

/** Sessions from SVC_EMAIL and SVC_PASSWORD are kept apart from those of profiles. */
const environmentProfile = (url: string, email: string): string => `environment ${email} ${url}`;

const newSignInError = (): CommandError =>
  new CommandError(EXIT.signIn, 'You are not signed in.', 'Run: svc login. In scripts set SVC_TOKEN to an API key.', 'UNAUTHENTICATED');

type Found = { readonly source: CredentialSource; readonly token: string | undefined; readonly profileName: string };

const newClient = (options: GlobalOptions, url: string, token: string | undefined): ControlClient => {
  const timeoutMs = readTimeout(options.timeout);
  const transport = bearerTransport({ url, ...(token === undefined ? {} : { token }) });
  return createControlClient({ transport, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
};

const refuseUntrusted = (settings: Settings, { url, isTrusted }: Address): void => {
  const { token, email, password } = settings;
  const hasSecret = token !== undefined || (email !== undefined && password !== undefined);
  if (hasSecret && !isTrusted)
    throw getUsageError(
      `svc.json names ${url}. A credential of the environment is not sent to an address from that file.`,
      `Set SVC_URL=${url} if you trust it.`,
    );
};

/** The credential of a command: of the environment, or the stored one of the profile. */
const findCredential = async (settings: Settings, options: GlobalOptions, address: Address, profileName: string): Promise<Found> => {
  const { url } = address;
  const { token, email, password } = settings;
  refuseUntrusted(settings, address);
  if (token !== undefined) return { source: 'environment', token, profileName };
  if (email !== undefined && password !== undefined) {
    const name = environmentProfile(url, email);
    const kept = readToken(settings, name, url) ?? (await signInFromEnvironment(settings, url, email, newClient(options, url, undefined)));
    return { source: 'environment password', token: kept, profileName: name };
  }
  const stored = readToken(settings, profileName, url);
  return { source: stored === undefined ? 'none' : 'stored', token: stored, profileName };
};

const openIoValue = (settings: Settings, options: GlobalOptions): Io =>
  openIo(settings, {
    noInput: options.input === false,
    noColor: options.color === false,
    noPager: options.pager === false,
    quiet: options.quiet === true,
  });

/** Puts together what a command works with. Nothing is sent until it connects. */
export const openCli = (settings: Settings, options: GlobalOptions, program: Pick<Cli, 'table' | 'commandWords' | 'version'>): Cli => {
  const project = findProjectFile(process.cwd());
  const profiles = readProfiles(settings);
  const profileName = options.profile ?? settings.profile ?? profiles.current;
  const profile = profiles.profiles[profileName] ?? {};
  const address = (): Address => {
    const given = options.url ?? settings.url;
    const url = given ?? project?.url ?? profile.url;
    if (url === undefined) throw getUsageError(NO_ADDRESS, NO_ADDRESS_REMEDY);
    // A file of a project comes from other people: it must not send a secret of the environment to an address that it names.
    return { url: getNormalUrl(url), isTrusted: given !== undefined || project?.url === undefined || project.url === profile.url };
  };
  let connected: Promise<CliConnection> | undefined;
  const connect = async (): Promise<CliConnection> => {
    const { source, token, profileName: name } = await findCredential(settings, options, address(), profileName);
    if (token === undefined) throw newSignInError();
    const { url } = address();
    return { url, client: newClient(options, url, token), source, token, isKey: token.startsWith(API_KEY_PREFIX), profileName: name };
  };
  return {
    settings,
    io: openIoValue(settings, options),
    options,
    ...program,
    json: options.json === true || settings.json,
    project,
    profile,
    profileName,
    workspace: options.workspace ?? settings.workspace ?? project?.workspace ?? profile.workspace,
    environment: options.environment ?? settings.environment ?? project?.environment ?? profile.environment,
    url: () => address().url,
    connect: () => {
      connected ??= connect();
      return connected;
    },
    anonymous: () => newClient(options, address().url, undefined),
  };
};
