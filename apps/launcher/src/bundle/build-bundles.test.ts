import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildBundles } from './build-bundles.ts';
import { bundleFolder, getBundle, getBundlesFolder, getRunnable, getSource, PROGRAMS } from './bundle-folder.ts';
import { provideBundles } from './provide-bundles.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Creates a copy of the project that a test may change; installed packages are shared except for the project's own. */
const copyOfProject = async (): Promise<string> => {
  const copy = mkdtempSync(path.join(tmpdir(), 'svc-bundles-'));
  for (const name of ['packages', 'apps', 'package.json', 'package-lock.json', 'tsconfig.json'])
    await cp(path.join(root, name), path.join(copy, name), {
      recursive: true,
      filter: (from) => !/\/(node_modules|\.cache|dist)$/.test(from),
    });
  await mkdir(path.join(copy, 'node_modules', '@svc'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (name !== '@svc' && !name.startsWith('.'))
      await symlink(path.join(root, 'node_modules', name), path.join(copy, 'node_modules', name));
  for (const name of readdirSync(path.join(root, 'node_modules', '@svc'))) {
    const room = ['packages', 'apps'].find((each) => existsSync(path.join(copy, each, name))) ?? '';
    await symlink(path.join(copy, room, name), path.join(copy, 'node_modules', '@svc', name));
  }
  return copy;
};

const quiet = (): void => {};

describe('bundles', () => {
  let copy: string;
  let first: string;
  before(async () => {
    copy = await copyOfProject();
    first = await buildBundles(copy, quiet);
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('contain every program, and every file that one of them starts as a thread or a process', () => {
    for (const program of PROGRAMS) assert.ok(statSync(getBundle(first, program)).size > 10_000, program);
    const sources = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') });
    const started = sources
      .filter((file) => !/^(apps\/(launcher|console)|packages\/testing)\//.test(file))
      .flatMap((file) => [...readFileSync(path.join(root, file), 'utf8').matchAll(/new URL\('\.\/([\w-]+)\.ts'/g)].map(([, name]) => name));
    assert.ok(started.length >= 5, started.join());
    for (const name of started) assert.ok(existsSync(path.join(first, `${name}.mjs`)), name);
  });

  it('need nothing of the sources except the files next to them', () => {
    const bundled = readdirSync(first).map((name) => readFileSync(path.join(first, name), 'utf8'));
    const asked = bundled.flatMap((text) =>
      [...text.matchAll(/["']((?:@svc\/|[^"'\n]*\/src\/)[^"'\n]*\.ts)["']/g)].map(([, name]) => name),
    );
    assert.deepEqual(
      asked.filter((name) => !name?.endsWith('.d.ts') && !/^\.\//.test(name ?? '')),
      [],
    );
  });

  it('keep modules that are imported for their side effects', () => {
    const source = readFileSync(path.join(root, 'packages/domain/src/events/notification-channels/channel-address.ts'), 'utf8');
    const bundled = readdirSync(first).map((name) => readFileSync(path.join(first, name), 'utf8'));
    assert.match(source, /^ +decodeURI\(url\);$/m);
    assert.ok(bundled.some((text) => /^\s+decodeURI\(url\);$/m.test(text)));
  });

  it('are in ASCII, and load no client of Node that no program imports', () => {
    const bundled = readdirSync(first).map((name) => ({ name, text: readFileSync(path.join(first, name), 'utf8') }));
    for (const { name, text } of bundled) assert.match(text, /^\p{ASCII}*$/u, name);
    for (const { name, text } of bundled) assert.doesNotMatch(text, /^import .* from "(node:)?http";$/m, name);
    const loaded = 'process.on("exit", () => console.log(process.moduleLoadList.some((name) => name.includes("undici"))));';
    for (const program of PROGRAMS) {
      const words = ['--import', `data:text/javascript,${loaded}`, getBundle(first, program)];
      assert.match(spawnSync(process.execPath, words, { encoding: 'utf8', env: {} }).stdout, /false\n$/, program);
    }
  });

  it('are built once for the same sources, and again when a line changes, so that no start runs outdated code', async () => {
    const told: string[] = [];
    const tell = (line: string): void => void told.push(line);
    assert.equal(await buildBundles(copy, tell), first);
    assert.equal(told.length, 0);
    const settings = path.join(copy, 'apps/gateway/src/settings.ts');
    const text = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${text}\nprocess.exitCode = 77;\n`);
    const second = await buildBundles(copy, tell);
    assert.notEqual(second, first);
    assert.equal(told.length, 1);
    assert.ok(readdirSync(second).some((name) => readFileSync(path.join(second, name), 'utf8').includes('process.exitCode = 77')));
    assert.ok(existsSync(first), 'what runs keeps its own');
    writeFileSync(settings, text);
    assert.equal(bundleFolder(copy), first);
  });

  it('are kept for few states of the sources, without failed builds, and interrupted ones for a while', async () => {
    const room = path.join(copy, 'apps/gateway/src/settings.ts');
    const text = readFileSync(room, 'utf8');
    writeFileSync(room, `${text}\nimport './nowhere.ts';\n`);
    await assert.rejects(buildBundles(copy, quiet), /nowhere/);
    assert.ok(!existsSync(bundleFolder(copy)));
    for (let state = 0; state < 6; state += 1) await mkdir(path.join(getBundlesFolder(copy), `state-${state}`));
    for (const name of ['just', 'long']) await mkdir(path.join(getBundlesFolder(copy), `stopped.${name}`));
    utimesSync(path.join(getBundlesFolder(copy), 'stopped.long'), new Date(0), new Date(0));
    writeFileSync(room, `${text}\n// another\n`);
    const last = await buildBundles(copy, quiet);
    const kept = readdirSync(getBundlesFolder(copy));
    assert.equal(kept.length, 6, kept.join());
    assert.ok(kept.includes('stopped.just') && !kept.includes('stopped.long'), kept.join());
    assert.ok(kept.includes(path.basename(last)));
  });

  it('are rebuilt if the project was moved, since they read files next to their sources', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'svc-bundles-'));
    for (const name of ['packages', 'apps', 'package-lock.json']) await symlink(path.join(copy, name), path.join(other, name));
    assert.notEqual(path.basename(bundleFolder(other)), path.basename(bundleFolder(copy)));
    rmSync(other, { recursive: true });
  });

  it('with missing files, for example after a full disk, are rebuilt and never started', async () => {
    const folder = await buildBundles(copy, quiet);
    const part = path.join(folder, 'slow-answers-thread.mjs');
    writeFileSync(part, '');
    assert.equal(getRunnable(copy, folder, 'gateway'), getSource(copy, 'gateway'));
    assert.equal(await buildBundles(copy, quiet), folder);
    assert.ok(statSync(part).size > 100);
    assert.equal(getRunnable(copy, folder, 'gateway'), getBundle(folder, 'gateway'));
  });

  it('are not built if a link would move them outside the project, away from installed packages', async () => {
    const [dist, away, elsewhere] = ['dist', 'dist-away', 'elsewhere'].map((name) => path.join(copy, name)) as [string, string, string];
    renameSync(dist, away);
    await mkdir(elsewhere);
    await symlink(elsewhere, dist);
    await assert.rejects(buildBundles(copy, quiet), /dist\/programs is a link out of the project/);
    await cp(path.join(away, 'programs'), path.join(elsewhere, 'programs'), { recursive: true });
    const folder = bundleFolder(copy);
    assert.ok(existsSync(folder));
    assert.equal(getRunnable(copy, folder, 'worker'), getSource(copy, 'worker'));
    rmSync(dist);
    renameSync(away, dist);
    assert.equal(getRunnable(copy, folder, 'worker'), getBundle(folder, 'worker'));
  });

  it('of unreadable sources, for example without a lock file, leave a program to run from its sources, which is reported', async () => {
    const lock = path.join(copy, 'package-lock.json');
    renameSync(lock, `${lock}.away`);
    const told: string[] = [];
    const { signal } = new AbortController();
    assert.equal(await provideBundles({ projectRoot: copy, log: (line) => void told.push(line), signal }), undefined);
    assert.match(told.join(), /^The programs could not be bundled; npm run bundle says why/);
    renameSync(`${lock}.away`, lock);
  });

  it('that cannot be built, or were removed, leave a program to run from its sources, which is reported', async () => {
    const made = await buildBundles(copy, quiet);
    assert.equal(getRunnable(copy, made, 'worker'), getBundle(made, 'worker'));
    rmSync(getBundlesFolder(copy), { recursive: true });
    assert.equal(getRunnable(copy, bundleFolder(copy), 'worker'), getSource(copy, 'worker'));
    writeFileSync(getBundlesFolder(copy), 'no folder');
    const told: string[] = [];
    const { signal } = new AbortController();
    assert.equal(await provideBundles({ projectRoot: copy, log: (line) => void told.push(line), signal }), undefined);
    assert.match(told.at(-1) ?? '', /could not be bundled; npm run bundle says why/);
    told.length = 0;
    const options = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = `${options ?? ''} --inspect=127.0.0.1:0`;
    assert.equal(await provideBundles({ projectRoot: copy, log: (line) => void told.push(line), signal }), undefined);
    if (options === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = options;
    assert.equal(told.length, 2, told.join('\n'));
    assert.match(told[0] ?? '', /^Bundling the programs [^\n]+ \.\.\.$/, 'neither what the engine says nor a stack');
    rmSync(getBundlesFolder(copy));
    assert.equal(await provideBundles({ projectRoot: copy, log: quiet, signal }), bundleFolder(copy));
  });
});
