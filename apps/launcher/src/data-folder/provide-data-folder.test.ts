import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { provideDataFolder } from './provide-data-folder.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-folder-test-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('a data folder is created with its parents, and the test of it leaves nothing in it', () => {
  const folder = path.join(home, 'a', 'b');
  assert.equal(provideDataFolder(folder), undefined);
  assert.deepEqual(readdirSync(folder), []);
});

test('a folder that cannot be created or written is an error that names DATA_DIR', () => {
  const file = path.join(home, 'file');
  writeFileSync(file, '');
  for (const folder of [file, path.join(file, 'below')])
    assert.match(provideDataFolder(folder) ?? '', /^The data folder \S+ is a file, or lies below one: .* DATA_DIR=/);
  assert.match(provideDataFolder('/proc/governance') ?? '', /cannot be written: .* DATA_DIR=/);
  for (const folder of ['x'.repeat(300), 'x/'.repeat(2_500)]) {
    const fault = provideDataFolder(path.join(home, folder)) ?? '';
    assert.match(fault, /has a longer name than this system takes: .* DATA_DIR\.$/);
    assert.ok(fault.length < 300);
  }
});
