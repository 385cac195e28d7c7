import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Files that the documented commands create in the project, and how each is ignored. */
const MADE: readonly (readonly [string, string, string])[] = [
  ['docs/operating/running.md', '> governance.key', 'governance.key'],
  ['docs/operating/running.md', 'governance.backup', '*.backup'],
  ['docs/operating/running.md', 'mkdir restored', 'restored/'],
  ['docs/guides/first-governed-tool.md', 'my-agent', 'my-agent/'],
];

test('everything that documents create in the project, including keys and backups, is ignored by git', () => {
  const ignored = read('.gitignore').split('\n');
  for (const [document, made, line] of MADE) {
    assert.ok(read(document).includes(made), `${document}: ${made}`);
    assert.ok(ignored.includes(line), line);
  }
});
