import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isAlive } from '@svc/database-server/system/process-identity.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { startPlane } from './start-plane.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-plane-test-'));
after(() => rmSync(home, { recursive: true, force: true }));
const never = new Promise<void>(() => {});

let programs = 0;
/** Writes a program that behaves, or misbehaves, like a plane may. */
const program = (text: string) => {
  const main = path.join(home, `plane-${++programs}.mjs`);
  writeFileSync(main, text);
  return { name: 'gateway', program: 'gateway' as const, main, env: process.env, logFile: `${main}.log` };
};
const announces = `console.log(JSON.stringify({ ready: true, url: 'http://127.0.0.1:1' }));`;
const stays = `setInterval(() => {}, 1000);`;

const readFaults = async (promise: Promise<unknown>): Promise<readonly string[]> => {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof LaunchFault);
  return outcome.faults;
};

describe('a plane', () => {
  test('is ready when its log line states so, and its log goes to a file for its owner only', async () => {
    const options = program(`console.error('{"level":30}'); ${announces} ${stays}`);
    const plane = startPlane(options);
    assert.deepEqual(await plane.ready, { ready: true, url: 'http://127.0.0.1:1' });
    await plane.stop(never);
    assert.equal(await plane.ended, 'signal SIGTERM');
    assert.equal(statSync(options.logFile).mode & 0o777, 0o600);
    assert.ok(statSync(options.logFile).size > 0);
  });

  test('adds plain text output of its engine to its log as JSON lines, limited in number and length', async () => {
    const options = program(
      `console.error('{"level":30,"msg":"its own"}\\n<--- Last few GCs --->\\n\\nFATAL "heap" ' + 'x'.repeat(10_000)); ${announces}
       for (let line = 0; line < 5_000; line += 1) console.error('again'); process.stderr.write('', () => process.exit(7));`,
    );
    assert.equal(await startPlane(options).ended, 'exit code 7');
    const read = () =>
      readFileSync(options.logFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    for (let tries = 0; read().length < 2_000 && tries < 2_000; tries += 1) await sleep(20);
    const [own, first, second, ...others] = read();
    assert.equal(own.msg, 'its own');
    assert.deepEqual([first.level, first.source, first.msg], [50, 'standard error', '<--- Last few GCs --->']);
    assert.ok(second.msg.startsWith('FATAL "heap" ') && second.msg.length < 5_000);
    assert.equal(others.length, 1_997);
  });

  test('that continues to write is never blocked by a full pipe', async () => {
    const plane = startPlane(program(`${announces} process.stdout.write('x\\n'.repeat(1_000_000), () => process.exit(7));`));
    assert.equal(await plane.ended, 'exit code 7');
  });

  test('that refuses its settings is quoted, each sentence as an error', async () => {
    const plane = startPlane(program(`console.error('A is wrong; leave it out.\\nB is wrong too.'); process.exit(1);`));
    assert.deepEqual(await readFaults(plane.ready), ['A is wrong; leave it out.', 'B is wrong too.']);
  });

  test('that crashes is named with its error and its log', async () => {
    const options = program(`throw new TypeError('no such thing');`);
    assert.deepEqual(await readFaults(startPlane(options).ready), [
      `The gateway did not start (exit code 1, TypeError: no such thing): its log is ${options.logFile}.`,
    ]);
  });

  test('that crashes and logs its error is named with that error', async () => {
    const line = { level: 60, time: '2026-01-01T00:00:00.000Z', err: { type: 'RangeError', message: 'out of bounds' }, msg: 'broke' };
    const options = program(
      `import { appendFileSync } from 'node:fs'; appendFileSync(process.env.SVC_LOG_FILE, ${JSON.stringify(`${JSON.stringify(line)}\n`)}); process.exit(1);`,
    );
    assert.deepEqual(await readFaults(startPlane(options).ready), [
      `The gateway did not start (exit code 1, RangeError: out of bounds): its log is ${options.logFile}.`,
    ]);
  });

  test('that takes too long is named', async () => {
    const options = program(stays);
    const plane = startPlane({ ...options, readyTimeoutMs: 200 });
    assert.deepEqual(await readFaults(plane.ready), [`The gateway was not ready within 0.2 s: its log is ${options.logFile}.`]);
    await plane.stop(never);
  });

  test('has the announced time to finish its work, and is killed after it', async () => {
    const deaf = `process.on('SIGTERM', () => {}); console.log(JSON.stringify({ ready: true, url: 'http://127.0.0.1:1', drain_ms: 1 })); ${stays}`;
    const plane = startPlane(program(deaf));
    await plane.ready;
    const outcome = await Promise.race([plane.stop(never).then(() => 'stopped'), sleep(60_000, 'runs', { ref: false })]);
    assert.equal(outcome, 'stopped');
    assert.equal(await plane.ended, 'signal SIGKILL');
  });

  test('may finish its work on a stop, and not on a second signal', async () => {
    const text = `process.on('SIGTERM', () => setTimeout(() => process.exit(0), 300)); ${announces} ${stays}`;
    const patient = startPlane(program(text));
    await patient.ready;
    await patient.stop(never);
    assert.equal(await patient.ended, 'exit code 0');
    const hurried = startPlane(program(text));
    await hurried.ready;
    await hurried.stop(Promise.resolve());
    assert.equal(await hurried.ended, 'signal SIGKILL');
  });

  test('is informed of the death of its launcher, and ignores a Ctrl-C for the launcher', async () => {
    const options = program(`process.on('disconnect', () => process.exit(0)); ${announces} ${stays}`);
    const script = `import { startPlane } from ${JSON.stringify(import.meta.resolve('./start-plane.ts'))};
      const plane = startPlane({ ...${JSON.stringify({ ...options, env: {} })}, env: process.env });
      await plane.ready;
      process.on('SIGINT', () => {});
      console.log(plane.identity.pid);`;
    const launcher: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => launcher.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk))));
    const identity = identifyProcess(pid);
    assert.ok(identity);
    process.kill(-(launcher.pid ?? Number.NaN), 'SIGINT');
    await sleep(150);
    assert.equal(isAlive(identity), true);
    launcher.kill('SIGKILL');
    for (let tries = 0; isAlive(identity) && tries < 6_000; tries += 1) await sleep(10);
    assert.equal(isAlive(identity), false);
  });
});
