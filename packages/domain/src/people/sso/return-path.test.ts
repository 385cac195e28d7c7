import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnPath } from './return-path.ts';

test('continues a sign-in only at a path of this service', () => {
  for (const good of ['/', '/agents?x=1#y', '/a/../b']) assert.ok(returnPath(good)?.startsWith('/'), good);
  for (const bad of [
    '',
    'agents',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example',
    '/a\\..\\b',
    '/\n',
    '/ä',
  ])
    assert.equal(returnPath(bad), undefined, bad);
  assert.equal(returnPath('/..//evil.example'), undefined);
});
