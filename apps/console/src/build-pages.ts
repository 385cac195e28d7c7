import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sourceDigest } from '@svc/program/build/source-digest.ts';

/** The folder of this package, what it is built into, and what tells of which sources. */
const FOLDER = path.resolve(import.meta.dirname, '..');
const BUILT = path.join(FOLDER, 'dist');
const NOTE = 'built-from.txt';
/** What the pages are made of, from that folder; what they are built into is no part of it. */
export const SOURCES = ['index.html', 'package.json', 'web', 'src', '../../packages/contract/src/tables/wire-name.ts'];

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
    build: { outDir, emptyOutDir: true, target: 'es2023', modulePreload: false, assetsInlineLimit: 0 },
  });
};

/** Takes the place of what was there at once, so that no plane ever reads half of either. */
const replace = async (made: string): Promise<void> => {
  const old = `${made}-old`;
  await Promise.allSettled([rename(BUILT, old)]);
  await rename(made, BUILT);
  await rm(old, { recursive: true, force: true });
};

const LOCK_ENDS_MS = 120_000;
const LOOK_AGAIN_MS = 100;

/** Several starts at once build once: the others wait for it. A lock that outlived its process ends after a while. */
const alone = async (work: () => Promise<void>): Promise<void> => {
  const lock = path.join(FOLDER, '.cache', 'building');
  await mkdir(path.dirname(lock), { recursive: true });
  for (;;) {
    const [taken] = await Promise.allSettled([mkdir(lock)]);
    if (taken.status === 'fulfilled') break;
    const [known] = await Promise.allSettled([stat(lock)]);
    if (known.status === 'fulfilled' && Date.now() - known.value.mtimeMs > LOCK_ENDS_MS) await rm(lock, { recursive: true, force: true });
    else await sleep(LOOK_AGAIN_MS);
  }
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
};

const buildFrom = async (digest: string, tell: (line: string) => void): Promise<void> => {
  if ((await readNote()) === digest) return;
  tell('Building the pages of the console (only when they are missing or have changed) ...');
  const made = path.join(FOLDER, '.cache', `${process.pid}`);
  try {
    await build(made);
    await writeFile(path.join(made, NOTE), digest);
    await replace(made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
};

/** Builds the pages where they are missing or of other sources. */
export const buildPages = async (tell: (line: string) => void): Promise<void> => {
  const digest = sourceDigest(FOLDER, SOURCES);
  if ((await readNote()) !== digest) await alone(() => buildFrom(digest, tell));
};
