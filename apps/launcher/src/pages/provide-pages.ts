import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const withinMs = 120_000;

type Where = { readonly projectRoot: string; readonly log: (line: string) => void; readonly signal: AbortSignal };

/**
 * Builds the pages of the console if they are missing or outdated, which a start detects at once. Never rejects: a service without pages
 * still serves every program, and shows instructions to browsers.
 */
export const providePages = async ({ projectRoot, log, signal }: Where): Promise<void> => {
  const main = path.join(projectRoot, 'apps', 'console', 'src', 'main.ts');
  const child = spawn(process.execPath, [main], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'ignore'], timeout: withinMs, signal });
  child.stdout.setEncoding('utf8').on('data', (text: string) => log(text.trimEnd()));
  const [ended] = await Promise.allSettled([once(child, 'close')]);
  const isBuilt = ended.status === 'fulfilled' && ended.value[0] === 0;
  if (!isBuilt && !signal.aborted)
    log('The pages for browsers could not be built; npm run pages says why. Everything else works without them.');
};
