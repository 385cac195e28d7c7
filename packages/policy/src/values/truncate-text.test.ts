import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truncateText } from './truncate-text.ts';

test('returns whole characters of a text at any cut', () => {
  const text = 'ab😀c😀😀';
  for (let most = 0; most <= text.length + 1; most += 1) {
    const begun = truncateText(text, most);
    assert.ok(begun.isWellFormed() && text.startsWith(begun), `at ${most}`);
    assert.ok(begun.length <= most && begun.length >= Math.min(most, text.length) - 1, `at ${most}`);
  }
  assert.equal(truncateText('abc', 2), 'ab');
  assert.equal(truncateText('ab😀', 4), 'ab😀');
  assert.equal(truncateText('ab😀', 3), 'ab');
});
