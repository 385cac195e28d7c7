import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findProgram, installPackageAside, isInstalled, PackageError } from '@svc/stdio/packages/pinned-package.ts';
import { CommandError, EXIT, getUsageError } from '../../exit-codes.ts';
import type { Cli } from '../../session/cli.ts';
import { getServerEnvironment } from '../../settings.ts';
import { isUnpinnable, readNpxCommand } from './npx-command.ts';
import { INTEGRITY, isExactVersion } from './resolve-package.ts';

/** A program with its arguments. */
export type StartedCommand = { readonly program: string; readonly args: readonly string[] };

const FOLDER_CHARS = 32;

const nameFolder = (spec: string, integrity: string): string =>
  createHash('sha256')
    .update(JSON.stringify([spec, integrity]))
    .digest('hex')
    .slice(0, FOLDER_CHARS);

const newRefusal = (error: PackageError): CommandError =>
  new CommandError(
    EXIT.error,
    `The server is not started: ${error.message}`,
    'If the package was replaced on purpose, restore the entry with "svc mcp import --undo" and import it again.',
    'PACKAGE_CHANGED',
  );

/**
 * Returns the command that runs the pinned package of an npx command. The package is installed once, without its scripts, in a folder of this
 * program, and started only with the pinned integrity.
 */
export const getPinnedCommand = (
  { settings }: Pick<Cli, 'settings'>,
  { program, args }: StartedCommand,
  integrity: string,
): StartedCommand => {
  const command = readNpxCommand(program, args);
  if (command === undefined || isUnpinnable(command) || !isExactVersion(command.wanted))
    throw getUsageError('--integrity is for commands such as npx -y name@1.2.3, with an exact version.');
  if (!INTEGRITY.test(integrity)) throw getUsageError('--integrity must be sha512- and 88 characters of base64.');
  const { name, wanted: version, bin } = command;
  const folder = join(settings.configFolder, 'mcp-packages', nameFolder(`${name}@${version}`, integrity));
  const pinned = { ...{ name, version, integrity, folder }, ...(bin === undefined ? {} : { bin }) };
  try {
    if (!isInstalled(pinned)) installPackageAside(pinned, { env: getServerEnvironment() });
    return { program: process.execPath, args: [findProgram(pinned), ...command.args] };
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    throw newRefusal(error);
  }
};
