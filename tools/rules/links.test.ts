import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { getLinks } from './links.ts';

const files = { 'ARCHITECTURE.md': '# The house\n\n## Rooms & arrows\n\n## Rooms & arrows\n', 'packages/http/src/plane/serve.ts': '' };
const says = (text: string): string[] => getLinks(buildTree({ ...files, 'docs/walk.md': text })).map((finding) => finding.says);

test('a link to an existing file, folder or heading is accepted', () => {
  const good = [
    '../ARCHITECTURE.md',
    '../packages/http',
    '../packages/http/',
    '../packages/http/src/plane/serve.ts',
    '../ARCHITECTURE.md#rooms--arrows',
  ];
  for (const target of [...good, '../ARCHITECTURE.md#rooms--arrows-1']) assert.deepEqual(says(`see [it](${target})`), [], target);
  assert.deepEqual(says('# Walk\n\nsee [above](#walk)'), []);
});

test('a link to a missing file or heading is reported, with its line', () => {
  for (const target of ['gone.md', '../packages/http/src/gone.ts', '../ARCHITECTURE.md#gone', '#gone', '../../outside.md']) {
    assert.deepEqual(
      getLinks(buildTree({ ...files, 'docs/walk.md': `# Walk\n\nsee [it](${target} "title")` })).map(({ line }) => line),
      [3],
      target,
    );
  }
  assert.equal(says('see [it][1]\n\n[1]: gone.md').length, 1);
});

test('web addresses and examples in code are not checked', () => {
  assert.deepEqual(says('[a](https://example.org/x) [b](mailto:a@example.org)'), []);
  assert.deepEqual(says('```\n[a](gone.md)\n```\n`[b](gone.md)`'), []);
});

test('reports full paths that do not exist, and leaves patterns of paths alone', () => {
  const gone = 'it is in `packages/http/src/gone.ts`, see\n`packages/http/src/gone/`';
  assert.deepEqual(says(gone), [
    'names packages/http/src/gone.ts, which does not exist',
    'names packages/http/src/gone/, which does not exist',
  ]);
  assert.deepEqual(says('`packages/http/src/plane/`, `packages/http/src/plane/serve.ts`, `packages/<room>/src/`, `plane/gone.ts`'), []);
});
