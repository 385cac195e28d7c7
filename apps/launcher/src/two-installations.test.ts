import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeInstallationKey } from '@svc/keyring/sealed/installation-key.ts';
import { newMasterKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { DATABASE_ROLES } from '@svc/postgres/connection/connect.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type LaunchedService, launchService } from '@svc/testing/processes/launch-service.ts';
import type pg from 'pg';
import { migrateDatabase, openDatabase, type Prepared } from './database/prepare-database.ts';

let server: ManagedServer;
let admin: pg.Client;
const folders: string[] = [];
const stops: (() => Promise<unknown>)[] = [];

const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-two-'));
  folders.push(folder);
  return folder;
};

const setUp = async (database: FreshDatabase, masterKey: string): Promise<Prepared> => {
  const read = readMasterKey(masterKey);
  assert.ok(read.ok);
  return migrateDatabase(await openDatabase('/nowhere', database.url, () => {}), { kind: 'KEY', key: read.key });
};

const launch = async (database: FreshDatabase, masterKey: string | undefined, dataDir = newFolder()): Promise<LaunchedService> => {
  const env = { DATABASE_URL: database.url, ...(masterKey === undefined ? {} : { SVC_MASTER_KEY: masterKey }) };
  const service = await launchService({ dataDir, env });
  stops.push(service.stop);
  return service;
};

/** Returns everything that the server stores about roles, including passwords and permissions. */
const accounts = async (): Promise<unknown> =>
  (await admin.query('select rolname, rolpassword, rolsuper, rolcanlogin, xmin::text from pg_authid order by 1')).rows;

/** Returns the objects of a database, with the transaction that wrote each. */
const shape = async ({ url }: FreshDatabase): Promise<unknown> => {
  const client = await server.asSuperuser(new URL(url).pathname.slice(1));
  const { rows } = await client.query(
    `select 'table ' || relname as name, xmin::text, relacl::text from pg_class where relnamespace = 'public'::regnamespace
     union all select 'schema ' || nspname, xmin::text, nspacl::text from pg_namespace where nspname not like 'pg_%'
     union all select 'policy ' || polname || polrelid, xmin::text, polroles::text from pg_policy order by 1`,
  );
  await client.end();
  return rows;
};

const decides = async ({ act }: Governed): Promise<string> => (await act({ parameters: {} })).json.status;

before(async () => {
  server = await (SERVER_KINDS[0] ?? assert.fail()).start();
  admin = await server.asSuperuser();
});
after(async () => {
  for (const stop of stops.reverse()) await stop();
  await admin.end();
  await server.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('a server with a running installation', () => {
  let [database, masterKey] = [{} as FreshDatabase, newMasterKey()];
  let planes: Planes;
  let governed: Governed;
  before(async () => {
    database = await server.newDatabase();
    const { key } = await setUp(database, masterKey);
    planes = await startPlanes({ database, env: { SVC_INSTALLATION_KEY: writeInstallationKey(key), SVC_DATABASE_CONNECTIONS: '2' } });
    stops.push(planes.stop);
    governed = await newGoverned(planes);
  });

  /** Ends every connection, so that continuing requires a new login. */
  const stillDecides = async (): Promise<void> => {
    await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename like 'svc\\_%'");
    await decides(governed);
    assert.equal(await decides(governed), 'ALLOWED');
  };

  test('accepts another one next to it, and neither affects the other', async () => {
    const mine = await accounts();
    const other = await server.newDatabase();
    const service = await launch(other, newMasterKey());
    const both = (await accounts()) as readonly { rolname: string }[];
    assert.deepEqual(
      both.filter(({ rolname }) => (mine as readonly { rolname: string }[]).some((before) => before.rolname === rolname)),
      mine,
    );
    assert.equal(both.length, (mine as readonly unknown[]).length + DATABASE_ROLES.length);
    await stillDecides();
    const neighbour = await newGoverned({
      ...planes,
      controlUrl: service.controlUrl,
      gatewayUrl: service.gatewayUrl,
      gatewayUrls: [service.gatewayUrl],
    });
    assert.equal(await decides(neighbour), 'ALLOWED');
  });

  test('refuses a start with another master key in a sentence, before anything is changed', async () => {
    const before = [await accounts(), await shape(database)];
    await assert.rejects(
      launch(database, newMasterKey()),
      /The master key does not match this database \(installation [0-9a-f]{10}\), and nothing was changed\. Start with the master key that the database was set up with, in SVC_MASTER_KEY, as master\.key in DATA_DIR/,
    );
    assert.deepEqual([await accounts(), await shape(database)], before);
    await stillDecides();
  });

  test('refuses a start without its master key, and creates no new one', async () => {
    const [folder, before] = [newFolder(), await accounts()];
    await assert.rejects(launch(database, undefined, folder), /The master key \S+master\.key is missing.*restore the file.*SVC_MASTER_KEY/);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('key')),
      [],
    );
    assert.deepEqual(await accounts(), before);
    await stillDecides();
  });

  test('lets the same installation start a second time, and changes nothing', async () => {
    const before = [await accounts(), await shape(database)];
    assert.deepEqual((await setUp(database, masterKey)).applied, []);
    assert.deepEqual([await accounts(), await shape(database)], before);
    await stillDecides();
  });

  test('refuses a plane with another master key, in a sentence', async () => {
    await assert.rejects(
      startPlanes({ database, env: { SVC_MASTER_KEY: randomBytes(32).toString('base64') } }),
      /The database does not let this plane in: SVC_MASTER_KEY must be the one the database was set up with/,
    );
  });
});
