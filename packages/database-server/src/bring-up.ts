import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import type { Client } from 'pg';
import type { ProcessAccount } from './account/choose-account.ts';
import type { Binaries } from './binaries/place-binaries.ts';
import type { DataLayout } from './cluster/data-layout.ts';
import { prepareSocketFolder } from './cluster/socket-folder.ts';
import { isClaimed } from './postmaster/claim.ts';
import { clearDeadServer } from './postmaster/clear-dead-server.ts';
import { isServerReady } from './postmaster/find-server-processes.ts';
import { lookAtServer, type Sight } from './postmaster/look-at-server.ts';
import { type Spawned, spawnPostmaster } from './postmaster/spawn-postmaster.ts';
import { stopPostmaster } from './postmaster/stop-postmaster.ts';
import { identifyProcess, type ProcessIdentity } from './system/process-identity.ts';

/** Everything that a start has decided before it looks for a server. */
export type StartPlan = {
  readonly layout: DataLayout;
  readonly account: ProcessAccount | undefined;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  readonly readyTimeoutMs: number;
};

export type RunningServer = { readonly client: Client; readonly postmaster: ProcessIdentity | undefined; readonly adopted: boolean };

/** Progress of one start. */
type Progress = { spawned?: Spawned; unreachableSince?: number };

/** A server without its socket is replaced after this long; before, it may be stopping. */
const socketLostMs = 2_000;

/**
 * Polls the cluster and takes the next step until a server answers. PostgreSQL's own lock resolves the race between concurrent starts: the
 * loser finds the winner's server at its next poll and adopts it.
 */
export const bringUp = async (plan: StartPlan): Promise<RunningServer> => {
  const progress: Progress = {};
  let answering: RunningServer | undefined;
  try {
    for (const until = Date.now() + plan.readyTimeoutMs; answering === undefined && Date.now() < until; ) {
      answering = await advance(plan, progress);
      if (answering === undefined) await sleep(5);
    }
  } finally {
    if (answering === undefined && progress.spawned !== undefined) await stopSpawned(progress.spawned);
  }
  if (answering === undefined) throw new DatabaseServerFault(tooLate(plan));
  return answering;
};

const LOCKED_RETRY_MS = 200;

/** True if another server locked the data folder first: one that a launcher started just before it was killed answers soon, or ends. */
const isLockedByAnother = (complaint: string): boolean => complaint.includes('lock file "postmaster.pid" already exists');

const advance = async (plan: StartPlan, progress: Progress): Promise<RunningServer | undefined> => {
  const { spawned } = progress;
  if (spawned !== undefined && !spawned.hasEnded() && !isServerReady(plan.layout.cluster)) return undefined;
  const socketFolder = prepareSocketFolder(plan.layout, plan.account, plan.log);
  const sight = await lookAtServer(plan.layout);
  if (sight.state === 'answering') {
    if (await replaceOutdated(plan, sight)) return undefined;
    return { client: sight.client, postmaster: sight.postmaster, adopted: sight.postmaster?.pid !== spawned?.pid };
  }
  if (sight.state === 'unreachable') await replaceUnreachable(sight.postmaster, progress);
  if (sight.state === 'absent' && spawned === undefined) {
    await clearDeadServer(plan.layout.cluster, socketFolder, plan.log);
    progress.spawned = spawnPostmaster(plan.layout, socketFolder, plan.binaries, plan.account, plan.settings);
  }
  if (sight.state === 'absent' && spawned?.hasEnded() === true) {
    if (isLockedByAnother(spawned.lastComplaint())) {
      await sleep(LOCKED_RETRY_MS);
      delete progress.spawned;
      return undefined;
    }
    throw new DatabaseServerFault(
      `The database in ${plan.layout.cluster} does not start (${spawned.lastComplaint()}). See ${plan.layout.logFile} for details.`,
    );
  }
  return undefined;
};

/**
 * Replaces a server of an earlier version, which after an update of PostgreSQL would load the new files. A server that a living process has
 * claimed is left alone.
 */
const replaceOutdated = async (plan: StartPlan, sight: Sight & { state: 'answering' }): Promise<boolean> => {
  if (sight.postmaster === undefined || isClaimed(plan.layout.claimFile)) return false;
  const { rows } = await sight.client.query<{ server_version: string }>('show server_version');
  if (rows[0]?.server_version === plan.binaries.version) return false;
  plan.log(`Restarting the database as PostgreSQL ${plan.binaries.version}.`);
  await sight.client.end();
  await stopPostmaster(sight.postmaster);
  return true;
};

const replaceUnreachable = async (postmaster: ProcessIdentity, progress: Progress): Promise<void> => {
  progress.unreachableSince ??= Date.now();
  if (Date.now() - progress.unreachableSince > socketLostMs) await stopPostmaster(postmaster);
};

const stopSpawned = async (spawned: Spawned): Promise<void> => {
  const identity = spawned.hasEnded() ? undefined : identifyProcess(spawned.pid);
  if (identity !== undefined) await stopPostmaster(identity);
};

const tooLate = ({ layout, readyTimeoutMs }: StartPlan): string =>
  `The database in ${layout.cluster} did not respond within ${readyTimeoutMs / 1000} s. See ${layout.logFile} for the reason. If a server hangs, stop it with "kill -9 $(head -1 '${layout.cluster}/postmaster.pid')" and start again.`;
