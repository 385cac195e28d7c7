import { resolve } from 'node:path';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { nounFiles, nounsOf } from './noun-files.ts';
import { readTree } from './tree.ts';

const tree = readTree(resolve(import.meta.dirname, '..'));
const nouns = nounsOf(tree, ENDPOINTS);
const [asked = ''] = process.argv.slice(2);
const found = nouns.filter(({ noun }) => noun === asked);

if (found.length === 0) {
  console.error(`${asked === '' ? 'Name a noun' : `There is no noun ${asked}`}. There are ${nouns.map(({ noun }) => noun).join(', ')}.`);
  process.exitCode = 1;
}
for (const one of found) {
  console.log(`${one.noun}, of the area ${one.area}`);
  for (const { title, paths } of nounFiles(tree, one))
    if (paths.length > 0) console.log(`\n${title}\n${paths.map((path) => `  ${path}`).join('\n')}`);
}
