import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { compileAhead } from './compile-ahead.ts';
import { engineOptionsOf } from './engine-options.ts';

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'compiled-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const filesIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

test('what is compiled ahead is what a plane looks for, so that it compiles nothing itself', () =>
  inFolder(async (folder) => {
    const main = path.join(folder, 'main.ts');
    writeFileSync(main, 'const text: string = "";\nprocess.exitCode = text.length;\n');
    const cache = path.join(folder, 'cache');
    await compileAhead([main], cache);
    const compiled = filesIn(cache);
    assert.ok(compiled.length >= 3, `nothing was compiled: ${compiled.join()}`);
    const env = { NODE_COMPILE_CACHE: cache };
    assert.equal(spawnSync(process.execPath, [...engineOptionsOf(main), main], { env }).status, 0);
    assert.deepEqual(filesIn(cache), compiled);
    spawnSync(process.execPath, [main], { env });
    assert.notDeepEqual(filesIn(cache), compiled, 'other options were found to share what is compiled, so that this proves nothing');
  }));

test('a folder that cannot be made and a program that is not there stop nobody', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'a file');
    writeFileSync(file, '');
    await compileAhead([path.join(folder, 'nowhere.ts')], path.join(file, 'cache'));
  }));
