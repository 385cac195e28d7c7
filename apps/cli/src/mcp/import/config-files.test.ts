import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readSettings } from '../../settings.ts';
import { readConfig, undoChange, writeConfig } from './config-files.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-import-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const settings = () => ({ ...readSettings(), configFolder: join(folder, 'config') });

const open = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  const read = readConfig(path);
  assert.ok(read);
  return read;
};

test('refuses a file that was changed between the reading and the writing', async () => {
  const read = open('a.json', 'before');
  writeFileSync(read.path, 'by another program');
  await assert.rejects(writeConfig(settings(), read, 'after'), { exitCode: 7 });
  assert.equal(readFileSync(read.path, 'utf8'), 'by another program');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.partial')),
    [],
  );
});

test('undoes changes one by one, to the bytes from before the first', async () => {
  const read = open('b.json', '\uFEFFfirst\r\n');
  await writeConfig(settings(), read, 'second');
  const second = readConfig(read.path);
  assert.ok(second);
  await writeConfig(settings(), second, 'third');
  await undoChange(settings(), read.path);
  assert.equal(readFileSync(read.path, 'utf8'), 'second');
  await undoChange(settings(), read.path);
  assert.deepEqual(readFileSync(read.path), read.bytes);
});

test('refuses a file that is not UTF-8', () => {
  const path = join(folder, 'c.json');
  writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
  assert.throws(() => readConfig(path), /not UTF-8/);
});
