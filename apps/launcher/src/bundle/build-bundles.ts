import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  bundleFolder,
  getBundlesFolder,
  getSource,
  isInsideProject,
  isListed,
  isWhole,
  LIST,
  PROGRAMS,
  readSizes,
} from './bundle-folder.ts';
import { keepPlaces } from './keep-places.ts';
import { readFast } from './read-fast.ts';

/** Output if bundles are built. */
export const BUNDLING = 'Bundling the programs (only when they are missing or have changed) ...';

/** Number of source states with bundles: switching between some builds each once, and running programs keep theirs. */
const KEPT_MAX = 5;

/** Packages with non-JavaScript parts, or optional ones. */
const LEFT_WHERE_THEY_ARE = [/^@node-rs\//, /^oxc-parser/, 'web-tree-sitter', 'pg-native'];

const bundle = async (projectRoot: string, dir: string): Promise<void> => {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: projectRoot,
    input: Object.fromEntries(PROGRAMS.map((name) => [name, getSource(projectRoot, name)])),
    platform: 'node',
    external: LEFT_WHERE_THEY_ARE,
    plugins: [keepPlaces(), readFast()],
    treeshake: false,
    logLevel: 'silent',
  });
  try {
    // A call with an unused result may matter for its exceptions, so no code is dropped as free of side effects.
    const { output } = await build.write({
      minify: false,
      comments: { legal: true, annotation: false, jsdoc: false },
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

/** Age from which an unfinished build is abandoned. */
const UNFINISHED_MS_MAX = 600_000;

/** Returns a temporary name next to a folder; processes in separate containers may have equal ids, hence the UUID. */
const asideOf = (folder: string): string => `${folder}.${randomUUID()}`;
const isAside = (name: string): boolean => name.includes('.');

const removeOldest = async (all: string): Promise<void> => {
  const names = await readdir(all);
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(path.join(all, name))).mtimeMs })));
  const oldest = aged
    .filter(({ name }) => !isAside(name))
    .sort((one, other) => other.at - one.at)
    .slice(KEPT_MAX);
  const left = aged.filter(({ name, at }) => isAside(name) && Date.now() - at > UNFINISHED_MS_MAX);
  await Promise.all([...oldest, ...left].map(({ name }) => rm(path.join(all, name), { recursive: true, force: true })));
};

/** Writes the list, and syncs everything to disk if possible: after a power failure the folder in its place is complete. */
const finish = async (made: string): Promise<void> => {
  const sizes = readSizes(made);
  await writeFile(path.join(made, LIST), JSON.stringify(sizes));
  for (const name of [...Object.keys(sizes), LIST, '.']) {
    const file = await open(path.join(made, name), 'r');
    await Promise.allSettled([file.sync()]);
    await file.close();
  }
};

/** Moves a build to its place, where a concurrent build or an incomplete one may be. */
const place = async (made: string, folder: string): Promise<void> => {
  const [moved] = await Promise.allSettled([rename(made, folder)]);
  if (moved.status === 'fulfilled' || isWhole(folder)) return;
  if (!existsSync(folder)) throw moved.reason;
  const broken = asideOf(folder);
  await rename(folder, broken);
  await rename(made, folder);
  await rm(broken, { recursive: true, force: true });
};

/**
 * Bundles each program with its imports if the sources have changed; returns the folder. Replaces nothing: running programs keep their own.
 */
export const buildBundles = async (projectRoot: string, tell: (line: string) => void): Promise<string> => {
  const folder = bundleFolder(projectRoot);
  if (isWhole(folder)) {
    const now = new Date();
    // Without write permission the existing bundles can still be run.
    await Promise.allSettled([utimes(folder, now, now)]);
    return folder;
  }
  tell(BUNDLING);
  const made = asideOf(folder);
  try {
    await mkdir(made, { recursive: true });
    if (!isInsideProject(folder))
      throw new Error(
        `${getBundlesFolder(projectRoot)} is a link out of the project, from where nothing that is installed is found: make it a folder.`,
      );
    await bundle(projectRoot, made);
    await finish(made);
    // The first of two concurrent builds serves both.
    await place(made, folder);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  await Promise.allSettled([removeOldest(getBundlesFolder(projectRoot))]);
  return folder;
};
