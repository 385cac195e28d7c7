import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endHanging } from './file-seconds.ts';
import type { Unit } from './plan-tests.ts';

/** Wraps each file in a suite named by its path, so that its hooks are its own and failures are reported by file. */
const getSuite = (root: string, file: string): string => {
  const [name, url] = [file, pathToFileURL(join(root, file)).href].map((each) => JSON.stringify(each));
  return `describe(${name}, async () => {\n  before(() => beginFile(${name}));\n  await import(${url});\n});\n`;
};

/** Returns the file that the runner starts for each unit; one for several files imports them. */
export const getUnitFiles = (root: string, folder: string, units: readonly Unit[]): string[] => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const head = `import { before, describe } from 'node:test';\nimport { beginFile } from ${JSON.stringify(endHanging)};\n`;
  return units.map(({ name, files }) => {
    const [first = ''] = files;
    if (files.length === 1) return join(root, first);
    const file = join(folder, `${name.replaceAll('/', '-')}.test.mjs`);
    writeFileSync(file, head + files.map((each) => getSuite(root, each)).join(''));
    return file;
  });
};
