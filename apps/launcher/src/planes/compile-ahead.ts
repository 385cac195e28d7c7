import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { engineOptionsOf, programOf } from './engine-options.ts';

const withinMs = 20_000;

/** What compiled code depends on besides the code itself, and for which programs there is any. */
const compiledFor = (mains: readonly string[]): string =>
  [process.version, process.arch, ...mains.flatMap((main) => [programOf(main), ...engineOptionsOf(main)])].join(' ');

const compile = async (main: string, folder: string): Promise<void> => {
  const env = { NODE_COMPILE_CACHE: folder };
  await once(spawn(process.execPath, [...engineOptionsOf(main), main], { env, stdio: 'ignore', timeout: withinMs }), 'exit');
};

/**
 * A plane that has to be compiled while it starts keeps the memory of the compiler from then on. So where nothing is compiled yet each is
 * started for that alone: without settings it ends by itself, and what it compiled is kept in the folder. Never rejects: a plane that
 * was not compiled ahead only needs more memory.
 */
export const compileAhead = async (mains: readonly string[], folder: string): Promise<void> => {
  const note = path.join(folder, 'planes-compiled-for.txt');
  const [noted] = await Promise.allSettled([readFile(note, 'utf8')]);
  if (noted.status === 'fulfilled' && noted.value === compiledFor(mains)) return;
  const compiled = await Promise.allSettled(mains.map((main) => compile(main, folder)));
  if (compiled.some(({ status }) => status === 'rejected')) return;
  await Promise.allSettled([mkdir(folder, { recursive: true }).then(() => writeFile(note, compiledFor(mains)))]);
};
