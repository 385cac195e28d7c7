import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseNamedAccount } from '@svc/database-server/account/choose-account.ts';
import { migrate } from '@svc/postgres/migrate/migrate.ts';
import { freePort } from '../processes/free-port.ts';
import { getSignalTree } from '../processes/process-tree.ts';
import { connectAsOwner, type FreshDatabase } from './database.ts';
import { TEST_INSTALLATION } from './master-key.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const NODES = ['postgres-1', 'postgres-2', 'postgres-3'] as const;
const PASSWORD = 'not-a-secret';
const CLUSTER_WITHIN_MS = 180_000;
const REPAIRED_WITHIN_MS = 300_000;

/** Kinds of failures: PostgreSQL ends on a running machine, or the whole machine ends. */
export type ServerFailure = 'PROCESS' | 'MACHINE';

/** Three servers of PostgreSQL with Patroni, etcd, and haproxy in front of the primary, as deploy/postgres configures them. */
export type PatroniCluster = {
  /** The migrated database of the present primary, as the superuser. Dropping it does nothing; `remove` takes everything away. */
  readonly database: FreshDatabase;
  /** Kills the primary with SIGKILL; resolves with its name. */
  readonly killPrimary: (failure: ServerFailure) => Promise<string>;
  /** Starts the servers that were killed, and waits until one is the primary and another a synchronous standby. */
  readonly repair: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Programs that are not installed; the suite needs all of them. */
export const missingPrograms = (): readonly string[] =>
  ['etcd', 'patroni', 'haproxy'].filter((program) => spawnSync(program, ['--version']).error !== undefined);

type Node = { readonly name: string; readonly port: number; readonly rest: number; readonly home: string; child: ChildProcess | undefined };

const account = process.geteuid?.() === 0 ? chooseNamedAccount({ uid: -1, gid: 65_534 }) : undefined;

const launch = (home: string, name: string, words: readonly string[]): ChildProcess => {
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', HOME: home, LC_ALL: 'C.UTF-8' },
    ...account,
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => writeFileSync(path.join(home, `${name}.log`), text, { flag: 'a' }));
  return child;
};

const end = async (child: ChildProcess | undefined): Promise<void> => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

/** The configuration of the operator's guide with the addresses of this machine. */
const patroniConfig = (node: Node, etcdPort: number): string =>
  readFileSync(path.join(root, 'deploy/postgres/patroni.yaml'), 'utf8')
    .replaceAll('postgres-1:8008', `127.0.0.1:${node.rest}`)
    .replaceAll('postgres-1:5432', `127.0.0.1:${node.port}`)
    .replaceAll('0.0.0.0:8008', `127.0.0.1:${node.rest}`)
    .replaceAll('0.0.0.0:5432', `127.0.0.1:${node.port}`)
    .replaceAll('etcd-1:2379', `127.0.0.1:${etcdPort}`)
    .replaceAll('/var/lib/postgresql', node.home)
    .replaceAll('/var/run/postgresql', node.home)
    .replaceAll(/(SUPERUSER|REPLICATION)_PASSWORD/g, PASSWORD)
    .replace('name: postgres-1', `name: ${node.name}`);

const haproxyConfig = (nodes: readonly Node[], port: number): string => {
  const text = readFileSync(path.join(root, 'deploy/postgres/haproxy.cfg'), 'utf8').replace('bind :5432', `bind 127.0.0.1:${port}`);
  return nodes.reduce(
    (config, { name, port: at, rest }) =>
      config.replace(`server ${name} ${name}:5432 check port 8008`, `server ${name} 127.0.0.1:${at} check port ${rest}`),
    text,
  );
};

/** Asks a server itself, since the state that Patroni publishes of the others is some seconds old. */
const is = async ({ rest, child }: Node, role: 'primary' | 'replica' | 'synchronous'): Promise<boolean> => {
  if (child === undefined) return false;
  const [answer] = await Promise.allSettled([fetch(`http://127.0.0.1:${rest}/${role}`, { signal: AbortSignal.timeout(2_000) })]);
  await (answer.status === 'fulfilled' ? answer.value.body?.cancel() : undefined);
  return answer.status === 'fulfilled' && answer.value.status === 200;
};

const findPrimary = async (nodes: readonly Node[]): Promise<Node | undefined> => {
  for (const node of nodes) if (await is(node, 'primary')) return node;
  return undefined;
};

/** True if one server is the primary, another its synchronous standby, and the third a replica. */
const isWhole = async (nodes: readonly Node[]): Promise<boolean> => {
  const count = async (role: 'primary' | 'replica' | 'synchronous'): Promise<number> =>
    (await Promise.all(nodes.map((node) => is(node, role)))).filter(Boolean).length;
  return (await count('primary')) === 1 && (await count('replica')) === NODES.length - 1 && (await count('synchronous')) > 0;
};

const waitUntilWhole = async (nodes: readonly Node[], withinMs: number): Promise<void> => {
  for (const until = performance.now() + withinMs; performance.now() < until; await sleep(200)) {
    if (await isWhole(nodes)) return;
    if (nodes.some(({ child }) => child !== undefined && child.exitCode !== null)) break;
  }
  const logs = nodes.map(({ home }) => readFileSync(path.join(home, 'patroni.log'), 'utf8').slice(-2_000));
  throw new Error(`No primary with two standbys within ${withinMs / 1000} s.\n${logs.join('\n')}`);
};

const readPostmasterPid = ({ home }: Node): number =>
  Number(readFileSync(path.join(home, 'governance', 'postmaster.pid'), 'utf8').split('\n')[0]);

const startNode = (node: Node): void => {
  node.child = launch(node.home, 'patroni', ['patroni', path.join(node.home, 'patroni.yaml')]);
};

/** Ends a server: only PostgreSQL, or Patroni too, which then cannot release the lease of the primary. */
const killNode = async (node: Node, failure: ServerFailure): Promise<void> => {
  if (failure === 'MACHINE') await end(node.child);
  getSignalTree(readPostmasterPid(node), 'SIGKILL');
  if (failure === 'MACHINE') node.child = undefined;
};

const makeHomes = (home: string): void => {
  for (const folder of [home, ...['etcd', 'haproxy', ...NODES].map((name) => path.join(home, name))]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
  }
};

const startEtcd = async (home: string, port: number): Promise<ChildProcess> => {
  const peer = `http://127.0.0.1:${await freePort()}`;
  const client = `http://127.0.0.1:${port}`;
  return launch(home, 'etcd', [
    ...['etcd', '--data-dir', path.join(home, 'data'), '--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ]);
};

/** Starts etcd, the three servers and the proxy, and migrates the database. */
export const startPatroniCluster = async (): Promise<PatroniCluster> => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-failover-'));
  makeHomes(home);
  const [etcdPort, port] = [await freePort(), await freePort()];
  const nodes: Node[] = [];
  for (const name of NODES)
    nodes.push({ name, port: await freePort(), rest: await freePort(), home: path.join(home, name), child: undefined });
  const etcd = await startEtcd(path.join(home, 'etcd'), etcdPort);
  for (const node of nodes) writeFileSync(path.join(node.home, 'patroni.yaml'), patroniConfig(node, etcdPort));
  const proxyConfig = path.join(home, 'haproxy', 'haproxy.cfg');
  writeFileSync(proxyConfig, haproxyConfig(nodes, port));
  for (const node of nodes) startNode(node);
  const proxy = launch(path.join(home, 'haproxy'), 'haproxy', ['haproxy', '-db', '-f', proxyConfig]);
  const remove = async (): Promise<void> => {
    for (const { child } of nodes) await end(child);
    for (const node of nodes) {
      const [pid] = await Promise.allSettled([Promise.resolve().then(() => readPostmasterPid(node))]);
      if (pid.status === 'fulfilled') getSignalTree(pid.value, 'SIGKILL');
    }
    for (const child of [proxy, etcd]) await end(child);
    rmSync(home, { recursive: true, force: true });
  };
  await waitUntilWhole(nodes, CLUSTER_WITHIN_MS).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  await migrate(url, TEST_INSTALLATION).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    database: { url, client: () => connectAsOwner(url), drop: () => Promise.resolve() },
    killPrimary: async (failure) => {
      const node = await findPrimary(nodes);
      if (node === undefined) throw new Error('there is no primary');
      await killNode(node, failure);
      return node.name;
    },
    repair: async () => {
      for (const node of nodes) if (node.child === undefined) startNode(node);
      await waitUntilWhole(nodes, REPAIRED_WITHIN_MS);
    },
    remove,
  };
};
