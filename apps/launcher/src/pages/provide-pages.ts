import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const withinMs = 120_000;

type Where = { readonly projectRoot: string; readonly log: (line: string) => void; readonly signal: AbortSignal };

/**
 * Has the pages of the console built where they are missing or of other sources, which a start that needs nothing finds out in a moment.
 * Never rejects: a service without them serves every program, and tells whoever opens one what to do.
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
