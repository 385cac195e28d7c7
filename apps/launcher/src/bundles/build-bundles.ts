import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { bundleFolder, bundlesFolder, isListed, PROGRAMS, sourceOf } from './bundle-folder.ts';
import { keepPlaces } from './keep-places.ts';

/** Of states of the sources: whoever goes back and forth between some builds each once, and what runs finds its own. */
const KEPT_MAX = 5;

/** Have parts that are no JavaScript, or are asked for where they may be missing. */
const LEFT_WHERE_THEY_ARE = [/^@node-rs\//, 'pg-native'];

const bundle = async (projectRoot: string, dir: string): Promise<void> => {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: projectRoot,
    input: Object.fromEntries(PROGRAMS.map((name) => [name, sourceOf(projectRoot, name)])),
    platform: 'node',
    external: LEFT_WHERE_THEY_ARE,
    plugins: [keepPlaces()],
    treeshake: false,
    logLevel: 'silent',
  });
  try {
    // A call whose result nobody takes may be there for what it throws, so nothing is left out for looking as if it did nothing.
    const { output } = await build.write({
      minify: false,
      dir,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      keepNames: true,
    });
    const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
    const unlisted = modules.filter((id) => id.startsWith(projectRoot) && !isListed(path.relative(projectRoot, id)));
    if (unlisted.length > 0) throw new Error(`Changes of these would not be noticed: list their folders. ${unlisted.join(', ')}`);
  } finally {
    await build.close();
  }
};

const removeOldest = async (all: string): Promise<void> => {
  const names = await readdir(all);
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(path.join(all, name))).mtimeMs })));
  const oldest = aged.sort((one, other) => other.at - one.at).slice(KEPT_MAX);
  await Promise.all(oldest.map(({ name }) => rm(path.join(all, name), { recursive: true, force: true })));
};

/** Bundles each program with what it imports into files of its own where its sources have changed, and answers the folder. Takes the place of nothing: what runs goes on from its own. */
export const buildBundles = async (projectRoot: string, tell: (line: string) => void): Promise<string> => {
  const folder = bundleFolder(projectRoot);
  if (existsSync(folder)) {
    const now = new Date();
    // Whoever may not write here may still run what others made.
    await Promise.allSettled([utimes(folder, now, now)]);
    return folder;
  }
  tell('Bundling the programs (only when they are missing or have changed) ...');
  const made = `${folder}.${process.pid}`;
  try {
    await mkdir(made, { recursive: true });
    await bundle(projectRoot, made);
    // Of two that build at once the first has made it for both.
    const [moved] = await Promise.allSettled([rename(made, folder)]);
    if (moved.status === 'rejected' && !existsSync(folder)) throw moved.reason;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  await Promise.allSettled([removeOldest(bundlesFolder(projectRoot))]);
  return folder;
};
