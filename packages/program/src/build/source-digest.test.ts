import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sourceDigest } from './source-digest.ts';

const NAMES = ['package.json', 'src', '../other/one.ts'];

const newSources = () => {
  const root = mkdtempSync(path.join(tmpdir(), 'svc-sources-'));
  const folder = path.join(root, 'app');
  for (const name of ['app/src/deep', 'other']) mkdirSync(path.join(root, name), { recursive: true });
  for (const name of ['package.json', 'src/main.ts', 'src/deep/more.ts', '../other/one.ts']) writeFileSync(path.join(folder, name), name);
  return { root, folder, at: (name: string): string => path.join(folder, name) };
};

test('changes a digest when a file is changed, added, renamed or removed, and not when one is rewritten or is no source', () => {
  const { root, folder, at } = newSources();
  const elsewhere = newSources();
  try {
    const digest = (): string => sourceDigest(folder, NAMES, (file) => !file.endsWith('.test.ts'));
    const before = digest();
    assert.equal(sourceDigest(elsewhere.folder, NAMES), before, 'wherever they are');
    utimesSync(at('src/main.ts'), new Date(0), new Date(0));
    mkdirSync(at('dist'));
    writeFileSync(at('dist/built.js'), 'what is built is no source');
    writeFileSync(at('src/main.test.ts'), 'nor is what is left out');
    assert.equal(digest(), before);
    const seen = new Set([before]);
    const changes = [
      () => writeFileSync(at('src/added.ts'), 'a'),
      () => writeFileSync(at('src/added.ts'), 'b'),
      () => cpSync(at('src/added.ts'), at('src/deep/other.ts')),
      () => rmSync(at('src/added.ts')),
      () => writeFileSync(at('package.json'), '{}'),
      () => writeFileSync(at('../other/one.ts'), 'c'),
    ];
    for (const change of changes) {
      change();
      seen.add(digest());
    }
    assert.equal(seen.size, changes.length + 1);
  } finally {
    for (const each of [root, elsewhere.root]) rmSync(each, { recursive: true, force: true });
  }
});
