import assert from 'node:assert/strict';
import { mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { findSystemFault } from './system-fault.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-fault-test-'));
after(() => rmSync(home, { recursive: true, force: true }));

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

test('a system error is a message with the path and the remedy', () => {
  const file = path.join(home, 'file');
  const loop = path.join(home, 'loop');
  writeFileSync(file, '');
  symlinkSync(loop, loop);
  const failures = [
    [() => readFileSync(path.join(file, 'below')), /file\/below cannot be there, since a folder above it is a file: .*DATA_DIR\.$/],
    [
      () => readFileSync(home),
      /svc-fault-test-\S* is a folder where a file belongs|A file of the service is a folder where a file belongs/,
    ],
    [() => readFileSync(loop), /loop is a link that leads to itself: /],
    [() => openSync(path.join(home, 'x'.repeat(300)), 'w'), /^.{120}\.\.\. is a longer name than this system takes: .*DATA_DIR\.$/],
    [() => writeFileSync('/dev/full', 'x'), /cannot be written, since its disk is full: make room, /],
  ] as const;
  for (const [work, sentence] of failures) assert.match(findSystemFault(thrownBy(work)) ?? '', sentence);
});

test('a bug stays an error with its stack', () => {
  for (const error of [new TypeError('x'), thrownBy(() => readFileSync(path.join(home, 'nowhere'))), { code: 'EACCES' }, undefined])
    assert.equal(findSystemFault(error), undefined);
});
