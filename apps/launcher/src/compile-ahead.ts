import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/**
 * A plane that has to be compiled while it starts keeps the memory of the compiler from then on. So where nothing is compiled yet each is
 * started for that alone: without settings it ends by itself, and what it compiled is kept in the folder. Never throws; nothing depends on it.
 */
export const compileAhead = async (mains: readonly string[], folder: string): Promise<void> => {
  if (existsSync(folder)) return;
  const compilers = mains.map((main) => spawn(process.execPath, [main], { env: { NODE_COMPILE_CACHE: folder }, stdio: 'ignore' }));
  await Promise.allSettled(compilers.map((compiler) => once(compiler, 'exit')));
};
