import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sourceDigest } from './source-digest.ts';

const FOLDER = path.resolve(import.meta.dirname, '..');
const OUTSIDE = 'packages/contract/src/tables/wire-name.ts';

const copyOfSources = (): { readonly root: string; readonly folder: string } => {
  const root = mkdtempSync(path.join(tmpdir(), 'svc-pages-'));
  const folder = path.join(root, 'apps', 'console');
  for (const name of ['index.html', 'package.json', 'web', 'src'])
    cpSync(path.join(FOLDER, name), path.join(folder, name), { recursive: true });
  mkdirSync(path.dirname(path.join(root, OUTSIDE)), { recursive: true });
  cpSync(path.resolve(FOLDER, '../..', OUTSIDE), path.join(root, OUTSIDE));
  return { root, folder };
};

test('pages are of other sources when a file is changed, added or renamed, and not when it was only written again', async () => {
  const { root, folder } = copyOfSources();
  try {
    const at = (name: string): string => path.join(folder, name);
    const before = await sourceDigest(folder);
    assert.equal(before, await sourceDigest(FOLDER), 'wherever they are');
    utimesSync(at('index.html'), new Date(0), new Date(0));
    mkdirSync(at('dist'));
    writeFileSync(at('dist/built.js'), 'what is built is no source');
    assert.equal(await sourceDigest(folder), before);
    const seen = new Set([before]);
    const changes = [
      () => writeFileSync(at('web/added.ts'), 'a'),
      () => writeFileSync(at('web/added.ts'), 'b'),
      () => cpSync(at('web/added.ts'), at('web/other.ts')),
      () => rmSync(at('web/added.ts')),
      () => writeFileSync(at('package.json'), '{}'),
      () => writeFileSync(path.join(root, OUTSIDE), 'c'),
    ];
    for (const change of changes) {
      change();
      seen.add(await sourceDigest(folder));
    }
    assert.equal(seen.size, changes.length + 1);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('whatever the pages take from other packages of this project is among their sources', () => {
  const files = readdirSync(path.join(FOLDER, 'web'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const taken = files.flatMap((name) =>
    [...readFileSync(path.join(FOLDER, 'web', name), 'utf8').matchAll(/^import (?!type ).*from '(@svc\/[^']+)'/gm)].map(([, from]) => from),
  );
  assert.deepEqual([...new Set(taken)], ['@svc/contract/tables/wire-name.ts']);
});
