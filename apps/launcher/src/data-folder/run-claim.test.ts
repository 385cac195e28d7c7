import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { identifyProcess, isAlive, type ProcessIdentity } from '@svc/database-server/system/process-identity.ts';
import { claimRun, findRunning, removeRun, writeRun } from './run-claim.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-run-test-'));
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});
const freshFolder = (): string => mkdtempSync(path.join(home, 'data-'));

const runProcess = async (script: string): Promise<ProcessIdentity> => {
  const child = spawn(process.execPath, ['-e', `${script}; setInterval(() => {}, 1000); console.log()`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const identity = identifyProcess(child.pid ?? 0);
  assert.ok(identity);
  return identity;
};
const whereabouts = {
  controlUrl: 'http://127.0.0.1:4000',
  gatewayUrl: 'http://127.0.0.1:4100',
  sandboxOrigin: 'http://127.0.0.1:5000',
  sandboxKey: 'k',
};
const write = (folder: string, launcher: ProcessIdentity, planes: readonly ProcessIdentity[], name = 'launcher.json'): void =>
  writeFileSync(path.join(folder, name), JSON.stringify({ launcher, planes, whereabouts }));
const dead: ProcessIdentity = { pid: process.pid, started: '1' };

describe('an earlier start', () => {
  test('is ended if its launcher is dead, even processes that no longer react', async () => {
    const folder = freshFolder();
    const planes = [await runProcess(''), await runProcess("process.on('SIGTERM', () => {})")];
    write(folder, dead, planes);
    assert.equal(await claimRun(folder), undefined);
    assert.deepEqual(planes.map(isAlive), [false, false]);
  });

  test('is left alone if its launcher lives, and the second start states where the first one is', async () => {
    const folder = freshFolder();
    const [launcher, plane] = [await runProcess(''), await runProcess('')];
    write(folder, launcher, [plane]);
    assert.match(
      (await claimRun(folder)) ?? '',
      new RegExp(`already runs from ${folder} \\(process ${launcher.pid}, http://127\\.0\\.0\\.1:4000\\)`),
    );
    assert.deepEqual([isAlive(launcher), isAlive(plane)], [true, true]);
  });

  test('is never confused with a foreign process that reuses its process id', async () => {
    const folder = freshFolder();
    const stranger = await runProcess('');
    write(folder, dead, [{ pid: stranger.pid, started: '1' }]);
    assert.equal(await claimRun(folder), undefined);
    assert.equal(isAlive(stranger), true);
  });

  test('leaves nothing after a regular stop', async () => {
    const folder = freshFolder();
    assert.equal(await claimRun(folder), undefined);
    writeRun(folder, whereabouts, []);
    assert.match((await claimRun(folder)) ?? '', /already runs/);
    removeRun(folder);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(findRunning(folder), undefined);
    assert.equal(await claimRun(folder), undefined);
  });

  test('is taken over by exactly one of several concurrent starts, in every run', async () => {
    const script = `import { claimRun } from ${JSON.stringify(import.meta.resolve('./run-claim.ts'))};
      import { createInterface } from 'node:readline';
      console.log('ready');
      for await (const folder of createInterface({ input: process.stdin })) console.log((await claimRun(folder)) ?? 'mine');`;
    // Each process stays until all have answered: an ended one has no claim any more.
    const starts = [1, 2, 3, 4, 5, 6].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    children.push(...starts);
    const lines = starts.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]());
    const nextLines = () => Promise.all(lines.map(async (each) => String((await each.next()).value)));
    assert.deepEqual(
      await nextLines(),
      starts.map(() => 'ready'),
    );
    for (let round = 0; round < 60; round += 1) {
      const folder = freshFolder();
      write(folder, dead, []);
      // The process with the right to succeed the dead one has died too.
      if (round % 2 === 1) write(folder, { ...dead, started: '2' }, [], `launcher.json.after-${dead.pid}-${dead.started}`);
      for (const { stdin } of starts) stdin.write(`${folder}\n`);
      const answers = await nextLines();
      assert.equal(answers.filter((answer) => answer === 'mine').length, 1, answers.join());
      assert.equal(answers.filter((answer) => answer.includes('already runs')).length, starts.length - 1, answers.join());
      assert.deepEqual(readdirSync(folder), ['launcher.json']);
    }
    for (const { stdin } of starts) stdin.end();
  });

  test('is not waited for indefinitely if the record of its successor is unreadable', async () => {
    const folder = freshFolder();
    write(folder, dead, []);
    writeFileSync(path.join(folder, `launcher.json.after-${dead.pid}-${dead.started}`), '');
    assert.match((await claimRun(folder, 300)) ?? '', /^Another start has been taking over .*launcher\.json\.after-\* if there is none/);
  });
});

describe('the address of a service', () => {
  test('is available once its planes are started, to anyone with access to its data folder', async () => {
    const folder = freshFolder();
    await claimRun(folder);
    assert.equal(findRunning(folder), undefined);
    writeRun(folder, whereabouts, []);
    assert.deepEqual(findRunning(folder), whereabouts);
  });

  test('is not returned for a killed service, or from a file of another owner', () => {
    const folder = freshFolder();
    assert.equal(findRunning(folder), undefined);
    write(folder, dead, []);
    assert.equal(findRunning(folder), undefined);
    writeFileSync(path.join(folder, 'launcher.json'), '{"launcher":');
    assert.equal(findRunning(folder), undefined);
  });
});
