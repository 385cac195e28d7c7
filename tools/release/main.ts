import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRelease } from './build-release.ts';

const HELP = `Builds the files of a release into a new folder: npm packages, SDK for Python, verifier, SBOM (CycloneDX), licences, SHA-256 sums and their
signature:

    npm run generate -- release <folder> --key <private SSH key>

    --dirty            builds although files differ from the commit
    --without-python   leaves out the SDK for Python`;

const end = (sentence: string): never => {
  console.error(sentence);
  process.exit(2);
};

const readWords = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        dirty: { type: 'boolean' },
        'without-python': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return end(`${(error as Error).message}\n\n${HELP}`);
  }
};

const { values, positionals } = readWords();
const [folder = '', ...others] = positionals;
const { key = '', help = false } = values;
if (help) console.log(HELP);
else if (folder === '' || others.length > 0 || key === '') end(`A folder and --key are needed.\n\n${HELP}`);
else if (existsSync(folder)) end(`${folder} exists already: name a new folder.`);
else if (!existsSync(key)) end(`There is no key ${key}: ssh-keygen -t ed25519 -f ${key} creates one.`);
else {
  const faults = buildRelease({
    root: resolve(import.meta.dirname, '../..'),
    folder: resolve(folder),
    key: resolve(key),
    mayBeDirty: values.dirty === true,
    withPython: values['without-python'] !== true,
    report: console.log,
  });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
