import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** What the pages are made of, from the folder of this package; what they are built into is no part of it. */
const SOURCES = ['index.html', 'package.json', 'web', 'src', '../../packages/contract/src/tables/wire-name.ts'];

const filesOf = async (folder: string, name: string): Promise<string[]> => {
  const whole = path.join(folder, name);
  if (path.extname(name) !== '') return [whole];
  const entries = await readdir(whole, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
};

/** Tells whether pages were built from these sources, by what is in them and not by when they were written. */
export const sourceDigest = async (folder: string): Promise<string> => {
  const files = (await Promise.all(SOURCES.map((name) => filesOf(folder, name)))).flat().sort();
  const texts = await Promise.all(files.map((file) => readFile(file)));
  const digest = createHash('sha256');
  files.forEach((file, index) => {
    digest.update(`${path.relative(folder, file)}\n${texts[index]?.length}\n`).update(texts[index] ?? '');
  });
  return digest.digest('hex');
};
