import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** A similar project whose packages are archives in the same folder, so that the real npm installs it without a network. */
const home = mkdtempSync(path.join(tmpdir(), 'svc-install-test-'));
after(() => rmSync(home, { recursive: true, force: true }));

const put = (file: string, content: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};

const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|INIT_CWD)/i.test(name)));
const npm = (folder: string, ...args: readonly string[]): void => {
  const run = spawnSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder, env: environment, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
};

const pack = (name: string, more: Record<string, unknown> = {}): string => {
  const folder = path.join(home, 'packages', name);
  put(path.join(folder, 'package.json'), { name, version: '1.0.0', ...more });
  put(path.join(folder, 'index.js'), '');
  npm(folder, 'pack', '--pack-destination', home);
  return `file:../${name}-1.0.0.tgz`;
};

const template = path.join(home, 'template');
before(() => {
  put(path.join(template, 'package.json'), {
    name: 'project',
    version: '1.0.0',
    workspaces: ['packages/*'],
    dependencies: { plain: pack('plain') },
    devDependencies: { tool: pack('tool') },
    optionalDependencies: { here: pack('here', { os: [process.platform] }), elsewhere: pack('elsewhere', { os: ['plan9'] }) },
  });
  put(path.join(template, 'packages', 'member', 'package.json'), { name: '@project/member', version: '1.0.0' });
  npm(template, 'install', '--package-lock-only');
  cpSync(path.join(import.meta.dirname, 'install-if-needed.mjs'), path.join(template, 'tools', 'install-if-needed.mjs'));
});

/** A user without files here: an account without permissions if the tests run as root. */
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const canRunAsStranger = spawnSync(process.execPath, ['--version'], stranger).status === 0;

let projects = 0;
const freshProject = (): string => {
  // In the folder of the archives, which the lock file names by relative paths.
  const folder = path.join(home, `project-${++projects}`);
  cpSync(template, folder, { recursive: true });
  return folder;
};
const installedProject = (...flags: readonly string[]): string => {
  const folder = freshProject();
  npm(folder, 'ci', ...flags);
  return folder;
};

type Run = { readonly status: number | null; readonly printed: string };
const brokenNpm = path.join(home, 'broken', 'npm-cli.js');
put(brokenNpm, "console.error('npm error code EBROKEN\\nnpm error network the registry is on holiday'); process.exit(1);");

const installIfNeeded = (folder: string, env: Record<string, string> = {}): Promise<Run> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(folder, 'tools', 'install-if-needed.mjs')], {
      cwd: home,
      env: { ...environment, npm_config_offline: 'true', ...env },
    });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
    child.once('close', (status) => resolve({ status, printed: Buffer.concat(printed).toString('utf8') }));
  });

/** Any call of npm would fail, so success means that none was made. */
const assertNothingToDo = async (folder: string, env: Record<string, string> = {}): Promise<void> => {
  assert.deepEqual(await installIfNeeded(folder, { npm_execpath: brokenNpm, ...env }), { status: 0, printed: '' });
};
const assertInstalls = async (folder: string, line: RegExp, env: Record<string, string> = {}): Promise<void> => {
  const { status, printed } = await installIfNeeded(folder, env);
  assert.equal(status, 0, printed);
  assert.match(printed, line);
  assert.equal(printed.trim().split('\n').length, 1, printed);
};
const inModules = (folder: string, ...parts: readonly string[]): string => path.join(folder, 'node_modules', ...parts);

describe('installs missing packages', () => {
  test('in a fresh clone, with one line of output, and a second run does nothing', async () => {
    const folder = freshProject();
    await assertInstalls(folder, /^Installing 4 packages with npm ci/);
    for (const name of ['plain', 'tool', 'here', '@project/member']) assert.ok(existsSync(inModules(folder, name, 'package.json')), name);
    assert.equal(existsSync(inModules(folder, 'elsewhere')), false);
    await assertNothingToDo(folder);
  });

  test('after a package folder or a workspace link was deleted by hand', async () => {
    const folder = installedProject();
    rmSync(inModules(folder, 'plain'), { recursive: true });
    await assertInstalls(folder, /^Installing plain with npm ci/);
    rmSync(inModules(folder, '@project', 'member'));
    await assertInstalls(folder, /^Installing @project\/member with npm ci/);
    await assertNothingToDo(folder);
  });

  test('if the lock file names another build of a package than the installed one', async () => {
    const folder = installedProject();
    const hidden = inModules(folder, '.package-lock.json');
    writeFileSync(
      hidden,
      readFileSync(hidden, 'utf8').replace(/("node_modules\/plain": \{[^}]*"integrity": ")sha512-..../, '$1sha512-AAAA'),
    );
    await assertInstalls(folder, /^Installing plain with npm ci/);
  });

  test('with npm install if a manifest requires what the lock file does not contain', async () => {
    const folder = installedProject();
    put(path.join(folder, 'packages', 'member', 'package.json'), {
      name: '@project/member',
      version: '1.0.0',
      dependencies: { tool: `file:../../${path.relative(folder, home)}/tool-1.0.0.tgz` },
    });
    await assertInstalls(folder, /^Installing the packages with npm install/);
    await assertNothingToDo(folder);
  });
});

describe('deliberate omissions stay', () => {
  test('development packages, for programs that only run the service', async () => {
    const folder = installedProject('--omit=dev');
    for (const script of ['start', 'ops', 'worker']) await assertNothingToDo(folder, { npm_lifecycle_event: script });
    assert.equal(existsSync(inModules(folder, 'tool')), false);
    await assertInstalls(folder, /^Installing tool with npm ci/, { npm_lifecycle_event: 'test', NODE_ENV: 'production' });
    assert.ok(existsSync(inModules(folder, 'tool')));
  });

  test('and every script that starts a program does so', () => {
    const text = readFileSync(path.join(import.meta.dirname, 'install-if-needed.mjs'), 'utf8');
    const { scripts } = JSON.parse(readFileSync(path.join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const running = Object.keys(scripts).filter((name) => scripts[name]?.includes(' node apps/'));
    assert.ok(running.length > 4, running.join());
    assert.deepEqual(
      running.filter((name) => !text.includes(`'${name}'`)),
      [],
    );
  });

  test('an optional package of this platform, after one attempt', async () => {
    const folder = installedProject('--omit=optional');
    await assertInstalls(folder, /^Installing here with npm ci/, { npm_config_omit: 'optional' });
    assert.equal(existsSync(inModules(folder, 'here')), false);
    await assertNothingToDo(folder);
  });
});

describe('two concurrent runs', () => {
  test('install once, and both end with everything installed', async () => {
    const folder = freshProject();
    const runs = await Promise.all([installIfNeeded(folder), installIfNeeded(folder), installIfNeeded(folder)]);
    assert.deepEqual(
      runs.map(({ status }) => status),
      [0, 0, 0],
    );
    assert.equal(runs.filter(({ printed }) => printed.includes('Installing')).length, 1);
    await assertNothingToDo(folder);
    assert.equal(existsSync(path.join(folder, '.cache', 'install.lock')), false);
  });

  test('wait for a running install, although its partial result looks complete', async () => {
    const folder = installedProject();
    const holder = spawn('sleep', ['60']);
    const stat = readFileSync(`/proc/${holder.pid}/stat`, 'latin1');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    put(path.join(folder, '.cache', 'install.lock'), [{ pid: holder.pid, started }]);
    let hasEnded = false;
    const waiting = installIfNeeded(folder, { npm_execpath: brokenNpm }).finally(() => {
      hasEnded = true;
    });
    await sleep(600);
    assert.equal(hasEnded, false);
    holder.kill('SIGKILL');
    assert.match((await waiting).printed, new RegExp(`^Waiting for the install that process ${holder.pid} is doing`));
  });

  test('are not blocked by a killed run, or by its reused process id', async () => {
    const folder = freshProject();
    put(path.join(folder, '.cache', 'install.lock'), [{ pid: process.pid, started: '1' }]);
    await assertInstalls(folder, /^Installing 4 packages/);
  });
});

test('a failed install ends in one sentence with the reason and exit code 1, and leaves no lock', async () => {
  const folder = freshProject();
  const { status, printed } = await installIfNeeded(folder, { npm_execpath: brokenNpm });
  assert.equal(status, 1);
  assert.match(printed, /\nThe packages could not be installed \(the registry is on holiday\): put that right, .* try again\.\n$/);
  assert.equal(existsSync(path.join(folder, '.cache', 'install.lock')), false);
});

test('the Node that npm installed is put where npm scripts look first, although links were omitted', async () => {
  const folder = installedProject();
  const name = `node-${process.platform}-${process.arch}`;
  const node = inModules(folder, name, 'bin', 'node');
  mkdirSync(path.dirname(node), { recursive: true });
  symlinkSync(process.execPath, node);
  await assertNothingToDo(folder);
  assert.equal(readlinkSync(inModules(folder, '.bin', 'node')), `../${name}/bin/node`);
});

test('an old Node without a newer one installed is reported with the remedy', async () => {
  const folder = installedProject();
  const script = path.join(folder, 'tools', 'install-if-needed.mjs');
  writeFileSync(script, readFileSync(script, 'utf8').replace('const nodeMajorMin = 24', 'const nodeMajorMin = 99'));
  const { status, printed } = await installIfNeeded(folder);
  assert.equal(status, 1);
  assert.match(printed, /^This needs Node 99 or newer, .* --include=optional.* or install Node 99\.\n$/);
});

test('a Node that npm installed and cannot find, for example below a folder with a colon in its name, is reported with the remedy', async () => {
  const folder = installedProject();
  const script = path.join(folder, 'tools', 'install-if-needed.mjs');
  writeFileSync(script, readFileSync(script, 'utf8').replace('const nodeMajorMin = 24', 'const nodeMajorMin = 99'));
  const link = inModules(folder, '.bin', 'node');
  mkdirSync(path.dirname(link), { recursive: true });
  writeFileSync(link, '#!/bin/sh\necho 99.0.0\n', { mode: 0o755 });
  const asOfNpm = (bin: string) => ({ npm_lifecycle_event: 'start', PATH: `${bin}:${process.env.PATH}` });
  await assertNothingToDo(folder, asOfNpm(path.dirname(link)));
  const { status, printed } = await installIfNeeded(folder, asOfNpm('/nowhere'));
  assert.equal(status, 1);
  assert.match(printed, /^This needs Node 99 or newer, .* colon .* noexec.*\n$/);
});

test('an incomplete clone of another owner is reported in one sentence', {
  skip: !canRunAsStranger && 'no other account may run this Node',
}, () => {
  const folder = freshProject();
  for (const [each, mode] of [
    [home, 0o755],
    [folder, 0o555],
  ] as const)
    chmodSync(each, mode);
  const script = path.join(folder, 'tools', 'install-if-needed.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { ...stranger, cwd: '/', env: environment, encoding: 'utf8' });
  chmodSync(folder, 0o755);
  assert.equal(status, 1);
  assert.equal(
    stderr,
    `Packages are missing, and you may not write ${folder}, into which they are installed: clone the project as yourself, or have its owner run "npm ci" there.\n`,
  );
});
