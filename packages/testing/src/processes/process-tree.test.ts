import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { identifyProcess } from '@svc/database-server/system/process-identity.ts';
import { getSignalTree } from './process-tree.ts';

const HOUR_MS = 3_600_000;

test('a kill reaches a process and each of its children', async () => {
  const wait = `setTimeout(() => {}, ${HOUR_MS})`;
  const script = `const { spawn } = require('node:child_process');
    const children = [1, 2].map(() => spawn(process.execPath, ['-e', ${JSON.stringify(wait)}], { detached: true }));
    console.log(JSON.stringify(children.map(({ pid }) => pid)));
    ${wait}`;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const children = await new Promise<number[]>((resolve) => {
    createInterface({ input: parent.stdout }).once('line', (line) => resolve(JSON.parse(line)));
  });
  assert.ok(children.every((pid) => identifyProcess(pid)));
  const gone = new Promise((resolve) => parent.once('exit', resolve));
  getSignalTree(parent.pid ?? 0, 'SIGKILL');
  await gone;
  while (children.some((pid) => identifyProcess(pid))) await new Promise((resolve) => setTimeout(resolve, 5));
});
