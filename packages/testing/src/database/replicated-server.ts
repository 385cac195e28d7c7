import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { layOut } from '@svc/database-server/cluster/data-layout.ts';
import { type DatabaseServer, startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { migrate } from '@svc/postgres/migrate/migrate.ts';
import { connectAsOwner, type FreshDatabase } from './database.ts';
import { TEST_INSTALLATION } from './master-key.ts';

/** A primary with a streaming replica. */
export type ReplicatedServer = {
  readonly database: FreshDatabase;
  readonly replicaUrl: string;
  /** Stops replaying on the replica, which keeps answering with its data. */
  readonly pauseReplay: () => Promise<void>;
  readonly resumeReplay: () => Promise<void>;
  readonly stopReplica: () => Promise<void>;
  /** Promotes the replica to a server of its own. */
  readonly promote: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

const SETTINGS = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' };
const RUNNING = /(^|\/)(postmaster\.(pid|opts)|\.s\.PGSQL\.[^/]*|[^/]*claim[^/]*)$/;

const query = async (url: string, statement: string): Promise<void> => {
  const client = await connectAsOwner(url);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Returns the settings by which a replica reaches its primary, in libpq's format. */
const primaryInfo = (url: string): string => {
  const { username, password, searchParams, port } = new URL(url);
  const host = searchParams.get('host') ?? 'localhost';
  return `host=${host} port=${searchParams.get('port') ?? port} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
};

/**
 * Copies the folder of the running primary between the start and the end of a backup, like pg_basebackup, which the embedded server lacks.
 */
const copyPrimary = async (primary: DatabaseServer, from: string, to: string): Promise<void> => {
  const client = await connectAsOwner(primary.ownerUrl);
  try {
    const { cluster } = layOut(to);
    await client.query("select pg_backup_start('replica', true)");
    cpSync(from, to, { recursive: true, filter: (name) => !RUNNING.test(name) });
    const { rows: ended } = await client.query('select labelfile from pg_backup_stop(false)');
    writeFileSync(path.join(cluster, 'backup_label'), ended[0].labelfile);
    writeFileSync(path.join(cluster, 'standby.signal'), '');
  } finally {
    await client.end();
  }
};

/** Starts a migrated database with a streaming replica, both of the embedded PostgreSQL. */
export const startReplicatedServer = async (): Promise<ReplicatedServer> => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-replicated-'));
  // The servers run under another account than root, and the replica reaches the socket of the primary by its path.
  chmodSync(home, 0o711);
  const [from, to] = [path.join(home, 'primary'), path.join(home, 'replica')];
  const primary = await startDatabaseServer({ dataDir: from, settings: SETTINGS });
  const url = primary.ownerUrl;
  await migrate(url, TEST_INSTALLATION);
  await copyPrimary(primary, from, to);
  const replica = await startDatabaseServer({
    dataDir: to,
    readyTimeoutMs: 20_000,
    settings: { ...SETTINGS, primary_conninfo: primaryInfo(url) },
  });
  return {
    database: { url, client: () => connectAsOwner(url), drop: () => Promise.resolve() },
    replicaUrl: replica.ownerUrl,
    pauseReplay: () => query(replica.ownerUrl, 'select pg_wal_replay_pause()'),
    resumeReplay: () => query(replica.ownerUrl, 'select pg_wal_replay_resume()'),
    stopReplica: () => replica.stop(),
    promote: () => query(replica.ownerUrl, 'select pg_promote(true, 30)'),
    remove: async () => {
      await replica.stop();
      await primary.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
