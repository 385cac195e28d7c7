import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { waitUntil } from '../time/until.ts';
import { startGroup } from './start-group.ts';

test('ends what a program has started, after the program itself has ended', async () => {
  const group = startGroup('sh', ['-c', 'sleep 600 & echo $! >&2']);
  if (group.child.exitCode === null) await once(group.child, 'exit');
  await waitUntil('the other process is named', () => /^\d+\n/.test(group.said()));
  const left = `/proc/${group.said().trim()}`;
  assert.equal(existsSync(left), true);
  await group.end();
  await waitUntil('the other process has ended', () => !existsSync(left));
});

test('reports a program that is not there, and ends it all the same', async () => {
  const group = startGroup('no-such-program', []);
  await waitUntil('the fault is named', () => group.said().includes('ENOENT'));
  await group.end();
});
