import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A name without an ending is a folder, all of which is meant. */
const filesOf = (folder: string, name: string): string[] => {
  const whole = path.join(folder, name);
  if (path.extname(name) !== '') return [whole];
  const entries = readdirSync(whole, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
};

/**
 * Tells whether something was built from these sources, by what is in them and not by when they were written. `isMeant` leaves out files that
 * it is not made of. Reads them one after the other, which for thousands of small files takes a fifth of the time of reading many at once.
 */
export const sourceDigest = (folder: string, names: readonly string[], isMeant: (file: string) => boolean = () => true): string => {
  const files = names
    .flatMap((name) => filesOf(folder, name))
    .filter(isMeant)
    .sort();
  const digest = createHash('sha256');
  for (const file of files) {
    const text = readFileSync(file);
    digest.update(`${path.relative(folder, file)}\n${text.length}\n`).update(text);
  }
  return digest.digest('hex');
};
