import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from './parse-yaml.ts';

test('merges the members of an anchor, and refuses merges without end', () => {
  assert.deepEqual(parseYaml('a: &a { plugins: [key-auth] }\nb: { <<: *a, name: x }'), {
    a: { plugins: ['key-auth'] },
    b: { plugins: ['key-auth'], name: 'x' },
  });
  const keys = Array.from({ length: 1_000 }, (_, n) => `k${n}: 1`).join(', ');
  const merges = Array.from({ length: 20 }, (_, n) => `m${n}: { <<: *a }`).join('\n');
  assert.equal(parseYaml(`a: &a { ${keys} }\n${merges}`), undefined);
});
