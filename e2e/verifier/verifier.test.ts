import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { exportLines, newSealedLog } from '@svc/testing/logs/sealed-log.ts';
import { tryVerifier, VERIFIER } from './try-verifier.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'verifier-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [VERIFIER, ...words], { env: {} }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('the offline verifier is one file of three hundred lines at most that needs nothing but Node', () => {
  const text = readFileSync(VERIFIER, 'utf8');
  assert.ok(text.split('\n').length <= 301);
  assert.deepEqual(
    [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name?.startsWith('node:')),
    [true, true],
  );
});

test('mutations of every kind are found and named, and no honest log is reported', async () => {
  assert.deepEqual(await tryVerifier({ events: 600, logs: 6, mutations: 270, honest: 40 }), []);
});

test('an export that hides changed events behind a hash that is only told is not taken for whole', async () => {
  const log = newSealedLog(20);
  const lines = exportLines(log).map((line) => line.replaceAll('"severity":"info"', '"severity":"warning"'));
  const { manifest } = JSON.parse(lines.at(-1) ?? '');
  const root = /\n\d+\n([^\n]+)\n/.exec(manifest.checkpoint)?.[1];
  const hiding = [...lines.slice(0, -1), JSON.stringify({ manifest: { ...manifest, outside: [{ from: 0, to: 20, hash: root }] } })];
  for (const given of [hiding, hiding.filter((line) => !line.startsWith('{"tile"'))]) {
    const { code, said } = await run(write('hiding.jsonl', `${given.join('\n')}\n`), '--key', log.verifierKey);
    assert.equal(code, 1, said);
    assert.match(said, /NOT INTACT\.\n$/);
  }
});

test('from the command line it tells in words what is wrong, and by its exit code whether anything is', async () => {
  const log = newSealedLog(300);
  const file = write('export.jsonl', `${exportLines(log).join('\n')}\n`);
  const fine = await run(file, '--key', log.verifierKey, '--checkpoint', write('note.txt', log.checkpointOf(300)));
  assert.equal(fine.code, 0, fine.said);
  assert.match(fine.said, /^Intact: 300 events of org_/);
  const without = write('without.jsonl', `${exportLines(log).toSpliced(7, 1).join('\n')}\n`);
  assert.deepEqual(await run(without, '--key', log.verifierKey), {
    code: 1,
    said: 'Deleted: the event 7 is missing.\nNOT INTACT.\n',
  });
  const older = write('older.jsonl', `${exportLines(log, 100).join('\n')}\n`);
  const rolledBack = await run(older, '--key', log.verifierKey, '--seen', write('seen.txt', log.checkpointOf(300)));
  assert.match(rolledBack.said, /^Rolled back: 300 events were sealed when you last saw the log, and this checkpoint is of 100\./);
  for (const words of [[], ['--key', 'x'], [file], [file, '--key', log.verifierKey, '--other']])
    assert.equal((await run(...words)).code, 2);
});
