import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskUrl, maskWords } from './mask-secrets.ts';

const CASES: readonly (readonly [words: readonly string[], shown: string])[] = [
  [
    ['npx', '-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '/data'],
    'npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /data',
  ],
  [['x', '--api-key', 'abc'], 'x --api-key [masked]'],
  [['x', '--token=abc'], '--token=[masked]'],
  [['docker', 'run', '-e', 'GITHUB_TOKEN=abc', 'image'], 'GITHUB_TOKEN=[masked]'],
  [['x', 'ghp_abcdefgh'], 'x [masked]'],
  [['x', '--header', 'Authorization: Bearer abc'], 'x --header Authorization=[masked]'],
  [['x', 'postgres://me:pw@db.example/x?sslmode=require'], 'postgres://[masked]@db.example/x?sslmode=[masked]'],
  [['x', 'tok1234567890abcdefghijklmnop'], 'x [masked]'],
];

test('hides arguments that look like secrets, and no others', () => {
  for (const [words, shown] of CASES) {
    const masked = maskWords(words).join(' ');
    assert.ok(masked.includes(shown), `${words.join(' ')} is shown as ${masked}`);
  }
});

test('hides the user and the query of an address', () => {
  assert.equal(maskUrl('https://a:b@c.example/mcp?key=1'), 'https://[masked]@c.example/mcp?key=[masked]');
  assert.equal(maskUrl('https://c.example/mcp'), 'https://c.example/mcp');
});
