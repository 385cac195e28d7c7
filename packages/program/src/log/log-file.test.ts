import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newLineWriter } from './line-writer.ts';
import { openLogFile } from './log-file.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-log-file-test-'));
after(() => rmSync(home, { recursive: true, force: true }));
let files = 0;
const freshFile = (): string => {
  const folder = path.join(home, String(++files));
  mkdirSync(folder);
  return path.join(folder, 'plane.log');
};

const BATCH = 'x'.repeat(99);
const write = (sink: ReturnType<typeof openLogFile>, text: string): void => sink.wrote(writeSync(sink.descriptor(), `${text}\n`));

test('rotates a full file between two lines, keeps a bounded number, and makes none readable for others', () => {
  const file = freshFile();
  const sink = openLogFile(file, { fileBytesMax: 300, filesMax: 3 });
  for (let line = 0; line < 20; line += 1) write(sink, `${String(line).padStart(3)}${BATCH.slice(3)}`);
  const names = readdirSync(path.dirname(file)).sort();
  assert.deepEqual(names, ['plane.log', 'plane.log.1', 'plane.log.2']);
  const numbers = names.reverse().flatMap((name) =>
    readFileSync(path.join(path.dirname(file), name), 'utf8')
      .split('\n')
      .filter(Boolean),
  );
  assert.deepEqual(
    numbers.map((line) => Number(line.slice(0, 3))),
    [12, 13, 14, 15, 16, 17, 18, 19],
  );
  for (const name of names) assert.equal(statSync(path.join(path.dirname(file), name)).mode & 0o777, 0o600);
});

test('continues a file at its end, and counts what others append to it or cut from it', () => {
  const file = freshFile();
  write(openLogFile(file, { fileBytesMax: 300, filesMax: 2 }), BATCH);
  const again = openLogFile(file, { fileBytesMax: 300, filesMax: 2 });
  appendFileSync(file, `${BATCH}\n`);
  write(again, BATCH);
  assert.equal(existsSync(`${file}.1`), false);
  write(again, BATCH);
  assert.equal(statSync(`${file}.1`).size, 400);
  assert.equal(statSync(file).size, 0);
});

test('restarts a single file', () => {
  const file = freshFile();
  const sink = openLogFile(file, { fileBytesMax: 300, filesMax: 1 });
  for (let line = 0; line < 7; line += 1) write(sink, BATCH);
  assert.deepEqual(readdirSync(path.dirname(file)), ['plane.log']);
  assert.equal(statSync(file).size, 100);
});

test('continues in the open file if it cannot be rotated', () => {
  const file = freshFile();
  const sink = openLogFile(file, { fileBytesMax: 300, filesMax: 2 });
  mkdirSync(`${file}.1`);
  for (let line = 0; line < 7; line += 1) write(sink, BATCH);
  assert.equal(statSync(file).size, 700);
});

test('keeps all lines, whole and in order, while files rotate', async () => {
  const file = freshFile();
  const sink = openLogFile(file, { fileBytesMax: 40_000, filesMax: 100 });
  let batches = 0;
  const wrote = (bytes: number): void => {
    batches += 1;
    sink.wrote(bytes);
  };
  const writer = newLineWriter({ ...sink, wrote });
  for (let line = 0; line < 4_000; line += 1) {
    writer.write(`${JSON.stringify({ line, text: 'Grüße 支払い' })}\n`);
    // More than a batch; however slow the disk is, one has been written by then.
    while (line % 500 === 499 && batches < (line + 1) / 500) await sleep(1);
  }
  writer.flushSync();
  const namesNow = () => readdirSync(path.dirname(file)).sort((a, b) => Number(b.split('.')[2] ?? 0) - Number(a.split('.')[2] ?? 0));
  const linesNow = () =>
    namesNow().flatMap((name) =>
      readFileSync(path.join(path.dirname(file), name), 'utf8')
        .split('\n')
        .filter(Boolean),
    );
  for (let looks = 0; looks < 1_000 && linesNow().length < 4_000; looks += 1) await sleep(30);
  const lines = linesNow();
  assert.ok(namesNow().length > 1);
  assert.deepEqual(new Set(lines.map((line) => JSON.parse(line).line)).size, 4_000);
});
