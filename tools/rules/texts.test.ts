import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkTexts } from './texts.ts';

const rule = checkTexts({ folders: ['/srv/checkout'], hosts: ['registry.internal.example'] });
const says = (path: string, text: string): string[] => rule(buildTree({ [path]: text })).map((finding) => finding.says);

test('machine-specific paths and hosts are reported, in any kind of file', () => {
  const machine = [
    'see /srv/checkout/README.md',
    "cd '/srv/checkout'",
    'https://registry.internal.example/x',
    ['', 'home', 'ann', 'x'].join('/'),
  ];
  for (const text of machine) {
    assert.equal(says('README.md', text).length, 1, text);
    assert.equal(says('deploy/a.yaml', text).length, 1, text);
  }
  for (const text of ['/srv/checkouts', '/usr/local/bin', 'https://example.org/home/page', '/v1/home'])
    assert.deepEqual(says('README.md', text), [], text);
});

test('notes to self are reported', () => {
  for (const note of [
    ['TO', 'DO'],
    ['FIX', 'ME'],
    ['XX', 'X'],
  ])
    assert.equal(says('docs/a.md', `${note.join('')}: later`).length, 1, note.join(''));
  assert.deepEqual(says('docs/a.md', 'XXL todo list'), []);
});

test('a skipped test and a silenced type are reported', () => {
  for (const word of ['only', 'skip', 'todo']) assert.equal(says('packages/http/src/a.test.ts', `test.${word}('x', () => {});`).length, 1);
  assert.equal(says('packages/http/src/a.ts', ['// @ts-', 'ignore\nexport {};'].join('')).length, 1);
});
