import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sourceDigest } from './source-digest.ts';

/** The folder of this package, what it is built into, and what tells of which sources. */
const FOLDER = path.resolve(import.meta.dirname, '..');
const BUILT = path.join(FOLDER, 'dist');
const NOTE = 'built-from.txt';

const readNote = async (): Promise<string | undefined> => {
  const [note] = await Promise.allSettled([readFile(path.join(BUILT, NOTE), 'utf8')]);
  return note.status === 'fulfilled' ? note.value : undefined;
};

const build = async (outDir: string): Promise<void> => {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    root: FOLDER,
    logLevel: 'error',
    publicDir: false,
    build: { outDir, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  });
};

/** Takes the place of what was there at once, so that no plane ever reads half of either. */
const replace = async (made: string): Promise<void> => {
  const old = `${made}-old`;
  await Promise.allSettled([rename(BUILT, old)]);
  await rename(made, BUILT);
  await rm(old, { recursive: true, force: true });
};

/** Builds the pages where they are missing or of other sources; answers whether it had to. */
export const buildPages = async (tell: (line: string) => void): Promise<boolean> => {
  const digest = await sourceDigest(FOLDER);
  if ((await readNote()) === digest) return false;
  tell('Building the pages of the console (only when they are missing or have changed) ...');
  const made = path.join(FOLDER, '.cache', `${process.pid}`);
  await mkdir(path.dirname(made), { recursive: true });
  try {
    await build(made);
    await writeFile(path.join(made, NOTE), digest);
    await replace(made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return true;
};
