import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { bundleFolder } from './bundle-folder.ts';

const withinMs = 120_000;

type Where = { readonly projectRoot: string; readonly log: (line: string) => void; readonly signal: AbortSignal };

/**
 * The folder of the bundles, made in a process of its own where there are none of the sources as they stand. Undefined where they cannot be
 * made, which is told: the programs run from their sources then.
 */
export const provideBundles = async ({ projectRoot, log, signal }: Where): Promise<string | undefined> => {
  const folder = bundleFolder(projectRoot);
  if (existsSync(folder)) return folder;
  const main = path.join(projectRoot, 'apps', 'launcher', 'src', 'bundle.ts');
  const child = spawn(process.execPath, [main], { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe'], timeout: withinMs, signal });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said === '') log(text.trimEnd());
    said += text;
  });
  await Promise.allSettled([once(child, 'close')]);
  if (existsSync(folder)) return folder;
  if (!signal.aborted)
    log(
      'The programs could not be bundled; npm run bundle says why. They run from their sources: the start takes longer, and each takes more memory.',
    );
  return undefined;
};
