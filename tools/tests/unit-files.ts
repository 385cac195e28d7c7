import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Unit } from './plan-tests.ts';

/** The file that the runner starts for each unit; one that stands for several imports them. */
export const unitFiles = (root: string, folder: string, units: readonly Unit[]): string[] => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return units.map(({ name, files }) => {
    const [first = ''] = files;
    if (files.length === 1) return join(root, first);
    const file = join(folder, `${name.replaceAll('/', '-')}together.test.mjs`);
    writeFileSync(file, files.map((each) => `import ${JSON.stringify(pathToFileURL(join(root, each)).href)};\n`).join(''));
    return file;
  });
};
