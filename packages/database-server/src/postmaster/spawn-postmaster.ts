import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import type { ProcessAccount } from '../account/choose-account.ts';
import { handFolders } from '../account/reach-as.ts';
import type { Binaries } from '../binaries/place-binaries.ts';
import type { DataLayout } from '../cluster/data-layout.ts';
import { socketPort } from '../cluster/socket-folder.ts';
import { serverArguments } from './server-settings.ts';

const logSizeMax = 16 * 1024 * 1024;

export type Spawned = {
  readonly pid: number;
  readonly hasEnded: () => boolean;
  /** Returns the most informative line that the server wrote since this start. */
  readonly lastComplaint: () => string;
};

/** Starts the server in a session of its own: a Ctrl-C for its launcher must not reach it early. */
export const spawnPostmaster = (
  layout: DataLayout,
  socketFolder: string,
  binaries: Binaries,
  account: ProcessAccount | undefined,
  own: Readonly<Record<string, string>>,
): Spawned => {
  const from = rotateLog(layout.logFile);
  const output = openSync(layout.logFile, 'a', 0o600);
  const handed = handFolders([layout.cluster, socketFolder], account);
  const [cluster, socket] = handed.names as [string, string];
  const child = spawn(binaries.postgres, serverArguments(cluster, socket, socketPort, own), {
    ...account,
    cwd: '/',
    env: binaries.env,
    detached: true,
    stdio: ['ignore', output, output, ...handed.descriptors],
  });
  handed.close();
  closeSync(output);
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  if (child.pid === undefined)
    throw new DatabaseServerFault(`PostgreSQL could not be started from ${binaries.postgres}. Check that it is executable.`);
  child.unref();
  return {
    pid: child.pid,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null || failure !== undefined,
    lastComplaint: () => failure ?? complaintSince(layout.logFile, from),
  };
};

const rotateLog = (file: string): number => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < logSizeMax) return size;
  renameSync(file, `${file}.1`);
  return 0;
};

const complaintSince = (file: string, from: number): string => {
  const lines = readFileSync(file).subarray(from).toString('utf8').trim().split('\n');
  const complaint = lines.findLast((line) => /FATAL|PANIC|ERROR|error/.test(line)) ?? lines.at(-1) ?? '';
  return complaint.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '') || 'it gave no reason';
};
