import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { formatNodePackage, NODE_PACKAGE_FILE } from './node-package-text.ts';

/**
 * npm run generate -- node-package
 *
 * Writes the built governed node, which the bundle of a managed runtime contains.
 */
endOnOtherWords(
  `Writes the built files of the governed node for the bundle of managed runtimes:

    npm run generate -- node-package`,
);
const root = resolve(import.meta.dirname, '../..');
const dist = mkdtempSync(join(tmpdir(), 'node-package-'));
try {
  writeFileSync(join(root, NODE_PACKAGE_FILE), formatNodePackage(dist, readFileSync(join(root, 'sdks/n8n/package.json'), 'utf8')));
} finally {
  rmSync(dist, { recursive: true });
}
