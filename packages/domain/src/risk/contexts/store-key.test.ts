import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findStoreKey, normalizeKey } from './store-key.ts';

describe('the key of a store', () => {
  test('is the same for every spelling of a path', () => {
    for (const key of [
      'notes/a.txt',
      '/notes/a.txt',
      './notes//a.txt',
      'Notes/x/../A.TXT',
      'notes\\a.txt',
      'notes%2Fa.txt',
      ' notes/a.txt ',
      '\uff4eotes/a.txt',
    ])
      assert.equal(normalizeKey(key), 'notes/a.txt', key);
    assert.equal(normalizeKey('../../notes/a.txt'), 'notes/a.txt');
    assert.notEqual(normalizeKey('notes/b.txt'), 'notes/a.txt');
    assert.equal(normalizeKey('100%'), '100%');
  });

  test('is null if the parameters have no text or number there, or a text that is too long', () => {
    assert.equal(findStoreKey({ file: { path: 'A' } }, '/file/path'), 'a');
    assert.equal(findStoreKey({ id: 7 }, '/id'), '7');
    for (const path of [undefined, null, true, ['a'], { a: 1 }, 'a'.repeat(5_000)]) assert.equal(findStoreKey({ path }, '/path'), null);
    assert.equal(findStoreKey(null, '/path'), null);
  });
});
