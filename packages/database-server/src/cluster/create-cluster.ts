import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { chooseNamedAccount, type ProcessAccount } from '../account/choose-account.ts';
import { handFolders } from '../account/reach-as.ts';
import type { Binaries } from '../binaries/place-binaries.ts';
import { identifyProcess } from '../system/process-identity.ts';
import { hasErrorCode } from '../system/system-error.ts';
import type { DataLayout } from './data-layout.ts';
import { findInitdbFault } from './initdb-fault.ts';

const stagingPrefix = 'postgres.new-';

/**
 * Creates the cluster with a random password, in a staging folder that is renamed into place, so that an interrupted start leaves nothing
 * that looks like a database, and of two concurrent starts exactly one cluster remains.
 */
export const createCluster = (layout: DataLayout, binaries: Binaries, account: ProcessAccount | undefined): void => {
  removeAbandoned(layout.dataDir);
  const staging = path.join(layout.dataDir, `${stagingPrefix}${process.pid}-${randomBytes(4).toString('hex')}`);
  const cluster = path.join(staging, 'cluster');
  mkdirSync(staging, { mode: 0o700 });
  mkdirSync(cluster, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  try {
    runInitdb(staging, cluster, password, binaries, account);
    if (account !== undefined) giveTree(cluster, account);
    writePrivate(path.join(cluster, path.basename(layout.passwordFile)), password);
    syncFolder(cluster);
    renameSync(cluster, layout.cluster);
    syncFolder(layout.dataDir);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST', 'ENOTEMPTY')) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
};

/** Changes the owner of a cluster that root moved or restored, and of nothing outside it. */
export const giveTree = (folder: string, account: ProcessAccount): void => {
  lchownSync(folder, account.uid, account.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) giveTree(below, account);
    else lchownSync(below, account.uid, account.gid);
  }
};

const runInitdb = (staging: string, cluster: string, password: string, binaries: Binaries, account: ProcessAccount | undefined): void => {
  const runAs = account === undefined ? undefined : chooseNamedAccount(account);
  const secrets = path.join(staging, 'secrets');
  mkdirSync(secrets, { mode: 0o700 });
  writePrivate(path.join(secrets, 'password'), password);
  if (runAs !== undefined) {
    for (const owned of [cluster, secrets, path.join(secrets, 'password')]) chownSync(owned, runAs.uid, runAs.gid);
    // Accessible to the server's own group only: other programs may run as the named account too.
    chownSync(staging, 0, runAs.gid);
    chmodSync(staging, 0o710);
  }
  const handed = handFolders([cluster, secrets], runAs);
  const [data, secretFolder] = handed.names as [string, string];
  // A new log file is filled with zeros while every commit waits: about 60 ms for 16 MB, about 4 ms for 1 MB.
  const log = '--wal-segsize=1';
  const settings = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums'];
  const access = ['--username=owner', `--pwfile=${secretFolder}/password`, '--auth=scram-sha-256', '--no-instructions'];
  const run = spawnSync(binaries.initdb, ['-D', data, log, ...settings, ...access], {
    ...runAs,
    cwd: '/',
    env: binaries.env,
    stdio: ['ignore', 'pipe', 'pipe', ...handed.descriptors],
    encoding: 'utf8',
  });
  handed.close();
  if (run.status === 0) return;
  throw findInitdbFault(path.dirname(staging), binaries.initdb, run);
};

const removeAbandoned = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(stagingPrefix)) continue;
    const pid = Number(name.slice(stagingPrefix.length).split('-')[0]);
    if (identifyProcess(pid) === undefined) rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
};

const writePrivate = (file: string, text: string): void => {
  const descriptor = openSync(file, 'wx', 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
};

const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** Throws if the folder is not accessible: a folder that cannot be read is not treated as missing. */
export const clusterExists = (layout: DataLayout): boolean =>
  statSync(path.join(layout.cluster, 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined;
