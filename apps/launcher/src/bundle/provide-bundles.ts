import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';
import { BUNDLING } from './build-bundles.ts';
import { bundleFolder, isWhole } from './bundle-folder.ts';

const withinMs = 120_000;

type Where = { readonly projectRoot: string; readonly log: (line: string) => void; readonly signal: AbortSignal };

/** Undefined if a source cannot be read, or there is no lock file: then it is unknown whether bundles match the sources. */
const findFolder = (projectRoot: string): string | undefined => {
  try {
    return bundleFolder(projectRoot);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EISDIR')) return undefined;
    throw error;
  }
};

/** Returns the folder of the bundles of the current sources; undefined if they were not built. */
export const findBundles = (projectRoot: string): string | undefined => {
  const folder = findFolder(projectRoot);
  return folder !== undefined && isWhole(folder) ? folder : undefined;
};

const build = async ({ projectRoot, log, signal }: Where): Promise<void> => {
  const main = path.join(projectRoot, 'apps', 'launcher', 'src', 'bundle.ts');
  const child = spawn(process.execPath, [main], { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe'], timeout: withinMs, signal });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line === BUNDLING) log(line);
  });
  await Promise.allSettled([once(child, 'close')]);
};

/**
 * Returns the folder of the bundles, built in a child process if there are none of the current sources. Undefined if the build fails, which
 * is reported: the programs then run from their sources.
 */
export const provideBundles = async ({ projectRoot, log, signal }: Where): Promise<string | undefined> => {
  const folder = findFolder(projectRoot);
  if (folder !== undefined && isWhole(folder)) return folder;
  if (folder !== undefined) await build({ projectRoot, log, signal });
  if (folder !== undefined && isWhole(folder)) return folder;
  if (!signal.aborted)
    log(
      'The programs could not be bundled; npm run bundle says why. They run from their sources: the start takes longer, and each takes more memory.',
    );
  return undefined;
};
