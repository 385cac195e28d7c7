import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProgram, isInstalled, type PinnedPackage } from '@svc/stdio/packages/pinned-package.ts';
import type { ServerCommand } from '@svc/stdio/process/start-server.ts';
import type { ServerConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/read-configuration.ts';
import { readVariable } from '../settings.ts';

const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/ssl', '/etc/alternatives'] as const;
/** Files by which names are resolved; a server without network needs none. */
const NETWORK_FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/run/systemd/resolve'] as const;

const bind = (option: string, paths: readonly string[]): readonly string[] => paths.flatMap((path) => [option, path, path]);

/** Folders that the program itself is in: node, and a pinned package. */
const programFolders = ({ package: pinned }: ServerConfiguration): readonly string[] => [
  dirname(dirname(process.execPath)),
  ...(pinned === undefined ? [] : [pinned.folder]),
];

/** Options of bubblewrap: a file system of the named folders, processes of its own, and no network unless it is allowed. */
export const getSandboxArgs = (server: ServerConfiguration): readonly string[] => {
  const { network = false, read = [], write = [], folder } = server;
  return [
    ...['--die-with-parent', '--unshare-all', '--new-session', '--cap-drop', 'ALL'],
    ...(network ? ['--share-net'] : []),
    ...bind('--ro-bind-try', SYSTEM_FOLDERS),
    ...(network ? bind('--ro-bind-try', NETWORK_FILES) : []),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...bind('--ro-bind', [...programFolders(server), ...read]),
    ...bind('--bind', write),
    ...['--chdir', folder ?? '/tmp', '--'],
  ];
};

/** Throws if bubblewrap is missing, or the system does not let it make name spaces. */
export const checkSandbox = (): void => {
  const { status } = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore', timeout: 10_000 });
  if (status === 0) return;
  throw new ConfigurationError(
    'bubblewrap cannot run here. Install the package bubblewrap and allow user namespaces, or set "sandbox": "NONE" for servers that you trust with the rights of this user.',
  );
};

/** The environment of the server: the named variables, PATH, and a HOME that is its folder. */
const serverEnvironment = ({ env = [], folder, sandbox }: ServerConfiguration): Readonly<Record<string, string | undefined>> => ({
  PATH: readVariable('PATH'),
  HOME: sandbox === 'NONE' ? (folder ?? readVariable('HOME')) : (folder ?? '/tmp'),
  ...Object.fromEntries(env.map((name) => [name, readVariable(name)])),
});

const INSTALL = 'Run: node apps/connector/src/main.ts install <configuration>';

const findInstalled = (pinned: PinnedPackage): string => {
  if (!isInstalled(pinned)) throw new ConfigurationError(`${pinned.name} is not installed in ${pinned.folder}. ${INSTALL}`);
  return findProgram(pinned);
};

const missingVariables = ({ env = [] }: ServerConfiguration): readonly string[] => env.filter((name) => readVariable(name) === undefined);

/** The command that runs a server. Throws ConfigurationError if it cannot. */
export const newServerCommand = (name: string, server: ServerConfiguration): ServerCommand => {
  const missing = missingVariables(server);
  if (missing.length > 0)
    throw new ConfigurationError(`/servers/${name}: ${missing.join(', ')} is not set in the environment of the connector.`);
  if (server.folder !== undefined && !existsSync(server.folder))
    throw new ConfigurationError(`/servers/${name}: ${server.folder} does not exist.`);
  const { args = [], package: pinned, command = '', memory_mebibytes_max } = server;
  const words = pinned === undefined ? [command, ...args] : [process.execPath, findInstalled(pinned), ...args];
  const isSandboxed = server.sandbox !== 'NONE';
  const [program = '', ...rest] = isSandboxed ? ['bwrap', ...getSandboxArgs(server), ...words] : words;
  return {
    ...{ program, args: rest, env: serverEnvironment(server), stderr: 'inherit' as const },
    ...(isSandboxed || server.folder === undefined ? {} : { cwd: server.folder }),
    ...(memory_mebibytes_max === undefined ? {} : { memoryMebibytesMax: memory_mebibytes_max }),
  };
};
