import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { sourceDigest } from '@svc/program/build/source-digest.ts';
import { runExclusively } from './alone.ts';

/** The folder of this package, its build output, and the file that identifies the sources. */
const FOLDER = path.resolve(import.meta.dirname, '..');
const BUILT = path.join(FOLDER, 'dist');
const NOTE = 'built-from.txt';
/** Sources of the pages, relative to that folder; the build output is excluded. */
export const SOURCES = [
  'index.html',
  'package.json',
  'web',
  'src',
  ...[
    'client/src',
    'sdk/src',
    'contract/src/tables',
    'contract/src/rows',
    'contract/src/incidents',
    'contract/src/policies',
    'contract/src/risk',
    'contract/src/runtimes',
  ].map((folder) => `../../packages/${folder}`),
];

const readNote = async (): Promise<string | undefined> => {
  const [note] = await Promise.allSettled([readFile(path.join(BUILT, NOTE), 'utf8')]);
  return note.status === 'fulfilled' ? note.value : undefined;
};

/** Variables of colours that no page names; those of each colour are a kilobyte of the library's style sheet. */
const UNUSED_VARIABLE = /--mantine-color-(?:pink|grape|violet|indigo|cyan|teal|green|lime|yellow|orange)-[\w-]+:[^;{}]*;?/g;

/** Removes the variables of unused colours from a style sheet. */
const removeUnusedColours = (css: string): string => css.replace(UNUSED_VARIABLE, '');

const build = async (outDir: string): Promise<void> => {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    root: FOLDER,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'unused-colours',
        generateBundle: (_, bundle) => {
          for (const file of Object.values(bundle))
            if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = removeUnusedColours(String(file.source));
        },
      },
    ],
    build: { outDir, emptyOutDir: true, target: 'es2023', modulePreload: false, assetsInlineLimit: 0 },
  });
};

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

/** Writes the compressed forms of each asset into the same folder, so that no program compresses them when it starts or answers. */
const compressAssets = async (assets: string): Promise<void> => {
  for (const name of await readdir(assets)) {
    const bytes = await readFile(path.join(assets, name));
    const [brotli, gzipped] = await Promise.all([toBrotli(bytes), toGzip(bytes, { level: 9 })]);
    await Promise.all([writeFile(path.join(assets, `${name}.br`), brotli), writeFile(path.join(assets, `${name}.gz`), gzipped)]);
  }
};

/** Replaces the previous build atomically, so that no plane reads a mixture. The first of two equal concurrent builds serves both. */
const replace = async (made: string, digest: string): Promise<void> => {
  const old = `${made}-old`;
  await Promise.allSettled([rename(BUILT, old)]);
  const [moved] = await Promise.allSettled([rename(made, BUILT)]);
  await rm(old, { recursive: true, force: true });
  if (moved.status === 'rejected' && (await readNote()) !== digest) throw moved.reason;
};

const buildFrom = async (digest: string, tell: (line: string) => void): Promise<void> => {
  if ((await readNote()) === digest) return;
  tell('Building the pages of the console (only when they are missing or have changed) ...');
  const made = path.join(FOLDER, '.cache', `${process.pid}`);
  try {
    await build(made);
    await compressAssets(path.join(made, 'assets'));
    await writeFile(path.join(made, NOTE), digest);
    await replace(made, digest);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
};

/** Builds the pages if they are missing or their sources changed. */
export const buildPages = async (tell: (line: string) => void): Promise<void> => {
  const digest = sourceDigest(FOLDER, SOURCES);
  if ((await readNote()) !== digest) await runExclusively(path.join(FOLDER, '.cache', 'building'), () => buildFrom(digest, tell));
};
