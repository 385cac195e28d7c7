/**
 * Writes the cases of the JSON-Schema-Test-Suite, one group per line, for each dialect that tools may use. The argument is a directory with
 * the files of the repository github.com/json-schema-org/JSON-Schema-Test-Suite.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';

type Group = { readonly description: string; readonly schema: unknown; readonly tests: readonly Case[] };
type Case = { readonly description: string; readonly data: unknown; readonly valid: boolean };

const OUTPUT = join(import.meta.dirname, '../../packages/testing/src/json-schema-suite');
const DIALECTS = { draft4: 'draft-04', draft6: 'draft-06', draft7: 'draft-07', 'draft2019-09': '2019-09', 'draft2020-12': '2020-12' };

const [, , root] = argv;
if (root === undefined) throw new Error('Give the directory of the test suite.');

for (const [folder, dialect] of Object.entries(DIALECTS)) {
  const tests = join(root, 'tests', folder);
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  const lines = files.toSorted().flatMap((file) => {
    const groups = JSON.parse(readFileSync(join(tests, file), 'utf8')) as readonly Group[];
    return groups.map(({ description, schema, tests: cases }) => {
      const written = cases.map(({ description: title, data, valid }) => ({ description: title, data, valid }));
      return JSON.stringify({ file: file.replace(/\.json$/, ''), description, schema, tests: written });
    });
  });
  writeFileSync(join(OUTPUT, `${dialect}.jsonl`), `${lines.join('\n')}\n`);
}
