import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseNamedAccount } from '@svc/database-server/account/choose-account.ts';
import { startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import pg from 'pg';
import { connectAsOwner, type FreshDatabase } from './database.ts';

/** A rented server: its user may create roles and databases, and is no superuser. */
export type ManagedServer = {
  /** Creates an empty database of an owner without superuser rights; it is removed with the server. */
  readonly newDatabase: () => Promise<FreshDatabase>;
  /** Returns the address of a database as the superuser, which a tenant of such a server never is. */
  readonly superuserUrl: (database: string) => string;
  readonly asSuperuser: (database?: string) => Promise<pg.Client>;
  readonly remove: () => Promise<void>;
};

export type ServerKind = { readonly name: string; readonly start: () => Promise<ManagedServer>; readonly missing: string | false };

type Running = { readonly url: string; readonly stop: () => Promise<void> };

const OWNER = 'tenant';
const PASSWORD = 'not-a-secret';
const startWithinMs = 30_000;

const at = (url: string, change: (url: URL) => void): string => {
  const other = new URL(url);
  change(other);
  return other.href;
};

const manage = async ({ url, stop }: Running, home: string): Promise<ManagedServer> => {
  const superuserUrl = (database: string): string =>
    at(url, (to) => {
      to.pathname = `/${database}`;
    });
  const asSuperuser = (database = 'postgres'): Promise<pg.Client> => connectAsOwner(superuserUrl(database));
  const session = await asSuperuser();
  await session.query(`create role ${OWNER} login createrole createdb nosuperuser password '${PASSWORD}'`);
  await session.end();
  const ofOwner = (database: string): string =>
    at(url, (to) => {
      [to.username, to.password, to.pathname] = [OWNER, PASSWORD, `/${database}`];
    });
  const newDatabase = async (): Promise<FreshDatabase> => {
    const name = `governance_${randomBytes(4).toString('hex')}`;
    const owner = new pg.Client({ connectionString: ofOwner('postgres') });
    await owner.connect();
    await owner.query(`create database ${name}`);
    await owner.end();
    return { url: ofOwner(name), client: () => connectAsOwner(ofOwner(name)), drop: () => Promise.resolve() };
  };
  const remove = async (): Promise<void> => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  };
  return { newDatabase, superuserUrl, asSuperuser, remove };
};

const startEmbedded = async (): Promise<ManagedServer> => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-managed-'));
  const server = await startDatabaseServer({ dataDir: path.join(home, 'data') });
  return manage({ url: server.ownerUrl, stop: () => server.stop() }, home);
};

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
};

/** Starts a server of another release from installed programs; never as root. */
const startInstalled = async (programs: string): Promise<ManagedServer> => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-managed-'));
  const [data, socket] = [path.join(home, 'data'), path.join(home, 'socket')];
  const account = process.geteuid?.() === 0 ? chooseNamedAccount({ uid: -1, gid: 65_534 }) : undefined;
  for (const folder of [data, socket]) mkdirSync(folder, { mode: 0o700 });
  if (account !== undefined) for (const folder of [home, data, socket]) chownSync(folder, account.uid, account.gid);
  writeFileSync(path.join(home, 'password'), PASSWORD);
  const options = { ...account, cwd: '/', encoding: 'utf8', env: { LC_ALL: 'C' } } as const;
  const made = spawnSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'admin', '--auth=scram-sha-256', `--pwfile=${home}/password`, '-E', 'UTF8'],
    options,
  );
  if (made.status !== 0) throw new Error(made.stderr || String(made.error));
  const child = spawn(path.join(programs, 'postgres'), ['-D', data, '-k', socket, '-c', 'listen_addresses=', '-p', '5432'], {
    ...options,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = `postgres://admin:${PASSWORD}@localhost/postgres?host=${encodeURIComponent(socket)}&port=5432`;
  for (const until = Date.now() + startWithinMs; !(await answers(url)); await sleep(50))
    if (Date.now() > until || child.exitCode !== null) throw new Error(`PostgreSQL of ${programs} does not start`);
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended;
  };
  return manage({ url, stop }, home);
};

/** Folders with programs of other releases: the distribution's, and those in SVC_TEST_POSTGRES, separated by colons. */
const installed = [
  ...(process.env.SVC_TEST_POSTGRES?.split(':') ?? []),
  ...['15', '16', '17'].flatMap((major) => globSync(`/usr/lib/postgresql/${major}/bin`)),
].filter((bin) => existsSync(`${bin}/initdb`));

const getRelease = (programs: string): string => {
  const output = spawnSync(path.join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  return `PostgreSQL ${/ (\d+)/.exec(output)?.[1] ?? `of ${programs}`}`;
};

/** The embedded release, and every older one that is installed. */
export const SERVER_KINDS: readonly ServerKind[] = [
  { name: 'PostgreSQL 18', start: startEmbedded, missing: false },
  ...installed.map((programs): ServerKind => ({ name: getRelease(programs), start: () => startInstalled(programs), missing: false })),
  ...(installed.length > 0
    ? []
    : [
        {
          name: 'an older PostgreSQL',
          start: () => startInstalled(''),
          missing: 'the programs of PostgreSQL 15, 16 or 17 are not in /usr/lib/postgresql, and SVC_TEST_POSTGRES names none',
        },
      ]),
];
