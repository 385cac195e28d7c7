import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findServerProcesses } from '@svc/database-server/postmaster/find-server-processes.ts';
import { startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from '@svc/database-server/system/process-identity.ts';
import { longOnly, sampleFew } from '@svc/testing/length/test-length.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-launch-test-'));
const launched: ChildProcess[] = [];
after(async () => {
  for (const child of launched.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  rmSync(home, { recursive: true, force: true });
});
let folders = 0;
const freshFolder = (): string => path.join(home, `data-${++folders}`);

type Launched = {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly complained: () => string;
  readonly ended: Promise<number | null>;
  /** Output until it is ready; rejects if it ends before that. */
  readonly ready: Promise<string>;
};

const launch = (env: Record<string, string>): Launched => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: getPersonsEnvironment({ CONTROL_PLANE_PORT: '0', GATEWAY_PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  launched.push(child);
  const [out, err]: [string[], string[]] = [[], []];
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out.push(text);
      if (out.join('').includes('Stop with Ctrl-C.')) resolve(out.join(''));
    });
    void ended.then(() => reject(new Error(err.join('') || out.join(''))));
  });
  void Promise.allSettled([ready]);
  return { child, said: () => out.join(''), complained: () => err.join(''), ended, ready };
};

const findUrl = (text: string, name: string): string => new RegExp(`${name}\\s+(http://\\S+)`).exec(text)?.[1] ?? '';

/** Returns every process of a run, in the order launcher, control plane, gateway, worker, database. */
const listProcesses = (dataDir: string): readonly ProcessIdentity[] => {
  const run = JSON.parse(readFileSync(path.join(dataDir, 'launcher.json'), 'utf8')) as {
    launcher: ProcessIdentity;
    planes: ProcessIdentity[];
  };
  const { postmaster } = findServerProcesses(path.join(dataDir, 'postgres'));
  assert.ok(postmaster);
  return [run.launcher, ...run.planes, postmaster];
};

/** Suites in addition to a plain start, by title. */
const FURTHER = ["a database of one's own", 'a plane that dies', 'a start after a kill -9'];
const tried = sampleFew(FURTHER, 1, 'starts');
const further = (title: string, tests: () => void) => describe(title, tried.includes(title) ? {} : longOnly, tests);

describe('a start', () => {
  test('starts both planes and the worker, prints their addresses, and ends all of it in order on Ctrl-C to every process', async () => {
    const dataDir = freshFolder();
    const service = launch({ DATA_DIR: dataDir });
    const text = await service.ready;
    for (const name of ['Control plane', 'Gateway']) assert.equal((await fetch(`${findUrl(text, name)}/health/ready`)).status, 200, name);
    assert.equal((await fetch(findUrl(text, 'Sandbox receiver'))).status, 200);
    assert.match(text, new RegExp(`Data folder\\s+${dataDir}\n`));
    const [control, gateway] = [findUrl(text, 'Control plane'), findUrl(text, 'Gateway')];
    for (const [here, there] of [
      [control, gateway],
      [gateway, control],
    ]) {
      const page = await (await fetch(`${here}/`, { headers: { accept: 'text/html' } })).text();
      assert.ok(page.includes(`href="${there}"`), page);
      assert.ok((await (await fetch(`${here}/docs`)).text()).includes(`href="${there}/docs"`));
    }
    assert.equal((await fetch(findUrl(text, 'To look around'))).status, 200);
    const guide = /First steps\s+(docs\/\S+)/.exec(text)?.[1] ?? '';
    assert.ok(existsSync(path.join(import.meta.dirname, '../../..', guide)), text);
    const processes = listProcesses(dataDir);
    process.kill(-(service.child.pid ?? Number.NaN), 'SIGINT');
    assert.equal(await service.ended, 0);
    assert.match(service.said(), /Stopping \.\.\.\nStopped\.\n$/);
    assert.equal(service.complained(), '');
    assert.deepEqual(processes.map(isAlive), [false, false, false, false, false]);
    assert.equal(existsSync(path.join(dataDir, 'launcher.json')), false);
    for (const [name, url] of [
      ['control-plane', control],
      ['gateway', gateway],
    ] as const) {
      const log = path.join(dataDir, `${name}.log`);
      const [first, ...lines] = readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual([first.msg, first.url, first.port], ['started', url, Number(new URL(url ?? '').port)]);
      assert.ok(first.version && first.settings.log_level === 'info' && !JSON.stringify(first).includes('SVC_'));
      assert.ok(lines.every(({ time, plane }) => time && plane));
      assert.equal(statSync(log).mode & 0o777, 0o600);
    }
    const [line = ''] = readFileSync(path.join(dataDir, 'worker.log'), 'utf8').split('\n');
    assert.deepEqual([JSON.parse(line).plane, JSON.parse(line).msg], ['worker', 'started']);
  });

  test('reports every fault at once and starts nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1').unref();
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    // Occupies the default port: taken here, or already taken.
    const default4000 = createServer()
      .on('error', () => {})
      .listen(4000, '127.0.0.1')
      .unref();
    await new Promise((resolve) => default4000.once('listening', resolve).once('error', resolve));
    const service = launch({
      DATA_DIR: '/proc/governance',
      GATEWAY_PORT: String(port),
      CONTROL_PLANE_PORT: 'many',
      SVC_MASTER_KEY: 'short',
      MAX_LOGIN_ATTEMPTS: '0',
    });
    assert.equal(await service.ended, 1);
    const lines = service.complained().trim().split('\n');
    assert.equal(lines.length, 5, service.complained());
    const parts = ['CONTROL_PLANE_PORT is "many"', 'SVC_MASTER_KEY: ', '/proc/governance', 'MAX_LOGIN_ATTEMPTS is "0"'];
    for (const part of [...parts, `Port ${port} on 127.0.0.1 is in use by another program`]) {
      assert.ok(
        lines.some((line) => line.includes(part)),
        part,
      );
    }
    assert.equal(service.said(), '');
    for (const server of [other, default4000]) server.close();
  });

  test('reports in one sentence that the data folder is a file', async () => {
    const dataDir = freshFolder();
    writeFileSync(dataDir, '');
    const service = launch({ DATA_DIR: dataDir });
    assert.equal(await service.ended, 1);
    assert.match(service.complained(), /^The data folder \S+ is a file, or lies below one: .*\n$/);
  });

  test('reports misspelled settings and unusable files, in a sentence each and without a stack', async () => {
    const dataDir = freshFolder();
    mkdirSync(path.join(dataDir, 'launcher.json'), { recursive: true });
    const service = launch({ DATA_DIR: dataDir, GATWAY_PORT: '4101', PORT: '80' });
    assert.equal(await service.ended, 1);
    const [misnamed, closed, ...more] = service.complained().trim().split('\n');
    assert.equal(misnamed, 'GATWAY_PORT is not recognized; did you mean GATEWAY_PORT?');
    assert.match(closed ?? '', /^\S+ .*is a folder where a file belongs: .*DATA_DIR\.$/);
    assert.deepEqual(more, []);
  });

  test('prints its help and its version for arguments, since npm handles the options', () => {
    const said = (...words: string[]) =>
      spawnSync(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...words], { encoding: 'utf8', timeout: 60_000 });
    for (const word of ['help', '--help']) assert.match(said(word).stdout, /npm start -- --demo/);
    for (const word of ['version', '--version']) assert.match(said(word).stdout, /^\d+\.\d+\.\d+\n$/);
    const { status, stderr } = said('--dmeo');
    assert.deepEqual([status, stderr], [1, '--dmeo is not recognized: see "npm start help".\n']);
  });

  test('reports faults of each plane before anything is created, once, and leaves nothing behind', async () => {
    const above = freshFolder();
    const service = launch({
      ...{ DATA_DIR: path.join(above, 'data'), SVC_DATABASE_TIMEOUT_MS: 'soon', SVC_EGRESS_ALLOW_CIDRS: '10.0.0.0/99' },
      ...{ MAX_LOGIN_ATTEMPTS: '0', SVC_SIGNUP: 'maybe', LOG_LEVEL: 'verbose', ASSERTION_WINDOW_SECONDS: '0' },
    });
    assert.equal(await service.ended, 1);
    const told = service.complained().trim().split('\n').sort();
    assert.deepEqual(
      told.map((sentence) => /^\w+/.exec(sentence)?.[0]),
      ['ASSERTION_WINDOW_SECONDS', 'LOG_LEVEL', 'MAX_LOGIN_ATTEMPTS', 'SVC_DATABASE_TIMEOUT_MS', 'SVC_EGRESS_ALLOW_CIDRS', 'SVC_SIGNUP'],
      service.complained(),
    );
    assert.match(told[3] ?? '', /^SVC_DATABASE_TIMEOUT_MS is "soon", but must be /);
    assert.match(told[4] ?? '', /^SVC_EGRESS_ALLOW_CIDRS: "10\.0\.0\.0\/99" is not a network such as /);
    assert.equal(existsSync(above), false);
  });

  test('with an invalid setting leaves an existing data folder unchanged', async () => {
    const dataDir = freshFolder();
    mkdirSync(dataDir);
    const service = launch({ DATA_DIR: dataDir, MAX_LOGIN_ATTEMPTS: '0' });
    assert.equal(await service.ended, 1);
    assert.deepEqual(readdirSync(dataDir), []);
  });

  test('in a folder that another start serves reports its address, and leaves it alone', longOnly, async () => {
    const dataDir = freshFolder();
    const first = launch({ DATA_DIR: dataDir });
    const text = await first.ready;
    const second = launch({ DATA_DIR: dataDir });
    assert.equal(await second.ended, 1);
    assert.ok(second.complained().includes(findUrl(text, 'Control plane')), second.complained());
    assert.equal((await fetch(`${findUrl(text, 'Control plane')}/health/ready`)).status, 200);
    first.child.kill('SIGTERM');
    assert.equal(await first.ended, 0);
  });
});

further("a database of one's own", () => {
  test('is used and left running, and no plane gets the password of its owner', async () => {
    const database = await startDatabaseServer({ dataDir: freshFolder() });
    const dataDir = freshFolder();
    const service = launch({ DATA_DIR: dataDir, DATABASE_URL: database.ownerUrl });
    assert.equal((await fetch(`${findUrl(await service.ready, 'Control plane')}/health/ready`)).status, 200);
    assert.equal(existsSync(path.join(dataDir, 'postgres')), false);
    const { planes } = JSON.parse(readFileSync(path.join(dataDir, 'launcher.json'), 'utf8')) as { planes: ProcessIdentity[] };
    const secret = new URL(database.ownerUrl).password;
    assert.deepEqual(
      planes.map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(secret)),
      [false, false, false],
    );
    service.child.kill('SIGTERM');
    assert.equal(await service.ended, 0);
    assert.notEqual(identifyProcess(database.pid), undefined);
    await database.stop();
  });
});

const answersAt = async (url: string): Promise<boolean> => {
  const [outcome] = await Promise.allSettled([fetch(`${url}/health/ready`)]);
  return outcome.status === 'fulfilled' && outcome.value.status === 200;
};

const untilAnswers = async (url: string): Promise<void> => {
  for (const until = Date.now() + 60_000; !(await answersAt(url)); await sleep(50)) assert.ok(Date.now() < until, `${url} answers again`);
};

further('a plane that dies', () => {
  test('is restarted on the same port while the other runs, and five crashes in a minute end the service with a sentence', async (t) => {
    const dataDir = freshFolder();
    const service = launch({ DATA_DIR: dataDir });
    const text = await service.ready;
    const [control, gateway] = ['Control plane', 'Gateway'].map((name) => findUrl(text, name)) as [string, string];
    const before = listProcesses(dataDir);
    const refused: string[] = [];
    const watch = setInterval(async () => void ((await answersAt(control)) || refused.push('the control plane did not answer')), 100);
    t.after(() => clearInterval(watch));
    for (let death = 1; death < 5; death += 1) {
      process.kill(listProcesses(dataDir)[2]?.pid ?? Number.NaN, 'SIGKILL');
      for (const killed = listProcesses(dataDir)[2]; killed && isAlive(killed); await sleep(5));
      await untilAnswers(gateway);
    }
    clearInterval(watch);
    assert.deepEqual(refused, []);
    assert.deepEqual(before.map(isAlive), [true, true, false, true, true]);
    assert.equal((service.said().match(/The gateway exited unexpectedly \(signal SIGKILL\) and is being restarted/g) ?? []).length, 4);
    process.kill(listProcesses(dataDir)[2]?.pid ?? Number.NaN, 'SIGKILL');
    assert.equal(await service.ended, 1);
    assert.match(
      service.complained(),
      /^The gateway exited unexpectedly 5 times within 60 s .*so everything is stopped; its log is \S+\.\n$/,
    );
    assert.deepEqual(before.map(isAlive), [false, false, false, false, false]);
  });

  test('is still stopped afterwards, and gets the set-up address if it is the control plane', async () => {
    const dataDir = freshFolder();
    const service = launch({ DATA_DIR: dataDir });
    const control = findUrl(await service.ready, 'Control plane');
    const [, killed] = listProcesses(dataDir);
    process.kill(killed?.pid ?? Number.NaN, 'SIGKILL');
    for (; killed && isAlive(killed); await sleep(5));
    await untilAnswers(control);
    for (; (service.said().match(/First set-up/g) ?? []).length < 2; await sleep(20));
    const link = /First set-up\s+(\S+) \(works once\)\n$/.exec(service.said())?.[1] ?? '';
    assert.equal((await fetch(link)).status, 200);
    assert.match(service.said(), /The control plane is ready again\./);
    const worker = listProcesses(dataDir)[3];
    process.kill(worker?.pid ?? Number.NaN, 'SIGKILL');
    for (; !service.said().includes('The worker is ready again.'); await sleep(20));
    const restarted = listProcesses(dataDir);
    service.child.kill('SIGTERM');
    assert.equal(await service.ended, 0);
    assert.deepEqual(restarted.map(isAlive), [false, false, false, false, false]);
  });
});

further('a start after a kill -9', () => {
  test('of the launcher works, and the leftovers of the kill are removed', async () => {
    const dataDir = freshFolder();
    const ports = { CONTROL_PLANE_PORT: String(await freePort()), GATEWAY_PORT: String(await freePort()) };
    const first = launch({ DATA_DIR: dataDir, ...ports });
    const text = await first.ready;
    const before = listProcesses(dataDir);
    process.kill(before[0]?.pid ?? Number.NaN, 'SIGKILL');
    await first.ended;
    // The same ports as before, which an orphan might still hold.
    const second = launch({ DATA_DIR: dataDir, ...ports });
    assert.equal(findUrl(await second.ready, 'Gateway'), findUrl(text, 'Gateway'));
    assert.deepEqual(before.slice(0, 4).map(isAlive), [false, false, false, false]);
    second.child.kill('SIGTERM');
    assert.equal(await second.ended, 0);
    assert.equal(identifyProcess(before[4]?.pid ?? 0), undefined);
  });
});
