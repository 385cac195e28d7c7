import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { unwrapInstallationKey } from '@svc/keyring/sealed/installation-key.ts';
import { newMasterKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { SEALED_COLUMNS } from '@svc/keyring/sealed/sealed-columns.ts';
import { findOpened } from '@svc/operations/service/keys/open-installation-key.ts';
import { readKeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import { migrate } from '@svc/postgres/migrate/migrate.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { getPersonsEnvironment, type LaunchedService, launchService } from '@svc/testing/processes/launch-service.ts';
import { countDecryptable, insertSealed, type SealedCounts } from '@svc/testing/records/insert-sealed-columns.ts';
import type pg from 'pg';
import { migrateDatabase, openDatabase } from '../../database/prepare-database.ts';
import { readLauncherSettings } from '../../settings/settings.ts';
import { readRewrap } from './read-rewrap.ts';
import { runRewrap } from './run-rewrap.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const home = mkdtempSync(path.join(tmpdir(), 'svc-rewrap-'));
const file = path.join(home, 'master.key');
/** Number of kills: each moment once in the short run; `REWRAP_KILLS=30 npm test -- rewrap` tries more. */
const KILLS = Number(process.env.REWRAP_KILLS ?? countRepetitions({ short: 4, long: 100 }));

let server: ManagedServer;
let database: FreshDatabase;
let admin: pg.Client;
let service: LaunchedService | undefined;
/** Values opened right after the installation got its key. */
let carried: { readonly key: KeyObject; readonly byOwn: SealedCounts; readonly byMaster: SealedCounts };

const getKey = (text: string): KeyObject => {
  const read = readMasterKey(text);
  assert.ok(read.ok);
  return read.key;
};
const findText = (name: string): string => readFileSync(name, 'utf8').trim();
const first = newMasterKey();
const environment = (env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv =>
  getPersonsEnvironment({ DATA_DIR: home, DATABASE_URL: database.url, ...env });

/** Returns the output of the command, or the sentence that refuses it. */
const rewrap = async (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const command = readRewrap(words);
  assert.ok(command !== undefined && typeof command !== 'string', String(command));
  const { settings, faults } = readLauncherSettings(environment(env), root);
  assert.deepEqual(faults, []);
  const said: string[] = [];
  await runRewrap(settings, command, (line) => said.push(line)).catch((error: Error) => said.push(`REFUSED ${error.message}`));
  return said.join('\n');
};

type Ended = { readonly code: number; readonly said: string };
const runAdmin = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: environment(env) };
    execFile(process.execPath, [path.join(root, 'apps/launcher/src/admin.ts'), ...words], options, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });

/** Returns the installation key by this master key; undefined if it opens nothing. */
const openedBy = async (text: string): Promise<KeyObject | undefined> =>
  (await findOpened(await readKeptKeys(database.url), { kind: 'KEY', key: getKey(text) }))?.key;

/** Returns true if this master key opens any stored wrapped key, regardless of what the row states. */
const opensAny = async (text: string): Promise<boolean> =>
  (await readKeptKeys(database.url)).keys.some(({ wrapped }) => {
    try {
      return wrapped !== undefined && unwrapInstallationKey(getKey(text), wrapped) !== undefined;
    } catch (error) {
      assert.ok(error instanceof CredentialKeyError);
      return false;
    }
  });

const live = async (): Promise<readonly string[]> =>
  (await readKeptKeys(database.url)).keys.flatMap(({ id, wrapped }) => (wrapped === undefined ? [] : [id]));

before(async () => {
  server = await (SERVER_KINDS[0] ?? assert.fail()).start();
  database = await server.newDatabase();
  // State of a version without installation keys, with a value in every sealed column.
  await migrate(database.url, deriveInstallation(getKey(first)));
  admin = await server.asSuperuser(new URL(database.url).pathname.slice(1));
  await insertSealed(admin, getKey(first), 3);
  writeFileSync(file, `${first}\n`, { mode: 0o600 });
  // A start without running jobs, which would remove some of it.
  const { key } = await migrateDatabase(await openDatabase('/nowhere', database.url, () => {}), { kind: 'KEY', key: getKey(first) });
  carried = { key, byOwn: await countDecryptable(admin, key), byMaster: await countDecryptable(admin, getKey(first)) };
  service = await launchService({ dataDir: home, env: { DATABASE_URL: database.url } });
});
after(async () => {
  await service?.stop();
  await admin?.end();
  await server?.remove();
  rmSync(home, { recursive: true, force: true });
});

describe('an installation whose keys were derived from its master key', () => {
  test('has at its next start its own key, which opens everything sealed, and the master key alone opens nothing', async () => {
    const { key, byOwn, byMaster } = carried;
    assert.deepEqual((await openedBy(first))?.export(), key.export());
    assert.deepEqual([byOwn.opened, byOwn.empty], [byOwn.sealed, []]);
    assert.ok(byOwn.sealed >= 3 * (SEALED_COLUMNS.length - 1));
    assert.equal(byMaster.opened, 0);
    const triggers = await admin.query("select from pg_trigger where tgenabled = 'D' and not tgisinternal");
    const unforced = await admin.query("select from pg_class where relname in ('mails', 'data_keys') and not relforcerowsecurity");
    assert.deepEqual([triggers.rowCount, unforced.rowCount], [0, 0]);
  });

  test('has every sealed column in the list of rewrapped ones, or under the key of an organization', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea' and (column_name like '%sealed%' or column_name like '%wrapped%')
          and table_name !~ '^credential' and table_name not in ('notification_channels', 'installation_keys') order by 1`,
    );
    assert.deepEqual(rows.map(({ name }) => name).sort(), SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort());
  });
});

describe('the master key', () => {
  test('is changed while agents act and secrets are sealed, and afterwards the previous one opens nothing', async () => {
    const { controlUrl, gatewayUrl } = service ?? assert.fail();
    const governed = await newGoverned({ controlUrl, gatewayUrl, gatewayUrls: [gatewayUrl] } as unknown as Planes);
    let going = true;
    const statuses = new Set<string>();
    const working = (async () => {
      for (let n = 1; going; n += 1) {
        statuses.add((await governed.act({ parameters: {} })).json.status);
        if (n % 20 === 1) {
          const body = { name: `Receiver ${n}`, url: 'https://127.0.0.1:9/hook', event_types: ['agent.created'] };
          statuses.add(String((await governed.owner('POST', '/v1/webhooks', body)).status));
        }
      }
    })();
    const { code, said } = await runAdmin(['rewrap', '--reason', 'Somebody left.']);
    going = false;
    await working;
    assert.equal(code, 0, said);
    assert.match(said, /1 of 3 .* was read back by it\.\n2 of 3 .*master\.key contains the new master key.*\n3 of 3 .* is retired/);
    assert.deepEqual([...statuses].sort(), ['201', 'ALLOWED']);
    assert.equal((await governed.act({ parameters: {} })).json.status, 'ALLOWED');
    const second = findText(file);
    assert.ok(second !== first && !said.includes(first) && !said.includes(second));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual([await opensAny(first), await openedBy(first)], [false, undefined]);
    assert.equal((await countDecryptable(admin, getKey(first))).opened, 0);
    assert.equal((await countDecryptable(admin, getKey(second))).opened, 0);
    const own = await openedBy(second);
    assert.ok(own);
    const { sealed, opened } = await countDecryptable(admin, own);
    assert.equal(opened, sealed);
  });

  test('that was replaced is refused by day and name, and each change is listed with its person and reason', async () => {
    const { code, said } = await runAdmin(['owners'], { SVC_MASTER_KEY: first });
    assert.equal(code, 1);
    assert.match(
      said,
      /^The master key [0-9a-f]{16} was replaced on \S+Z and is no longer valid\. Start with the one that replaced it\.$/m,
    );
    const told = await rewrap(['master-keys']);
    assert.match(told, /by \S+@\S+: The first start of a version that wraps it\.\n {2}retired on \S+ by \S+@/);
    assert.match(told, /by \S+@\S+: Somebody left\.\n {2}opens the key of the installation$/);
  });

  test('cannot be changed to itself, a former one, a file that others can read, or a setting', async () => {
    const [before, used, open] = [await live(), path.join(home, 'used.key'), path.join(home, 'open.key')];
    writeFileSync(used, first, { mode: 0o600 });
    writeFileSync(open, newMasterKey());
    chmodSync(open, 0o640);
    const because = ['--reason', 'Because.'];
    assert.match(
      await rewrap(['rewrap', '--to-file', file, ...because]),
      /REFUSED The new master key is the current one\. Nothing was changed\./,
    );
    assert.match(
      await rewrap(['rewrap', '--to-file', used, ...because]),
      /REFUSED The master key [0-9a-f]{16} was in use until .* Choose a new one/,
    );
    assert.match(
      await rewrap(['rewrap', '--to-file', open, ...because]),
      /REFUSED The master key .*open\.key is readable by other users\. Run "chmod 600/,
    );
    assert.match(
      await rewrap(['rewrap', ...because], { SVC_MASTER_KEY: findText(file) }),
      /REFUSED .* in SVC_MASTER_KEY, .* --to-file or --to-command/,
    );
    assert.deepEqual([await live(), existsSync(`${file}.next`)], [before, false]);
  });

  test('is tested without a change', async () => {
    const [before, text] = [await live(), findText(file)];
    assert.match(
      await rewrap(['rewrap', '--dry-run']),
      /is wrapped under the master key [0-9a-f]{16}\.\n.* a new one, .*\nNothing was changed\.$/,
    );
    assert.deepEqual([await live(), findText(file), existsSync(`${file}.next`)], [before, text, false]);
  });

  test('that is replaced opens everything next to the new one until it is finished, so that every machine can get the new one', async () => {
    const before = findText(file);
    assert.match(await rewrap(['rewrap', '--keep-old', '--reason', 'Several machines.']), /3 of 3 {2}Left: .* --finish/);
    const present = findText(file);
    assert.ok((await openedBy(before)) && (await openedBy(present)));
    assert.match(
      await rewrap(['rewrap', '--keep-old', '--reason', 'Several machines.']),
      /was (already|put) in place.*\n3 of 3 {2}Left: .* --finish/,
    );
    assert.ok((await openedBy(before)) && (await openedBy(present)), 'it is kept however often that is asked');
    const stranger = path.join(home, 'stranger.key');
    assert.match(await rewrap(['rewrap', '--to-file', stranger, '--reason', 'x']), /REFUSED A change to the master key .* is not finished/);
    assert.match(await rewrap(['rewrap', '--finish']), /^Retired: [0-9a-f]{16}\. It is no longer valid\.$/);
    assert.deepEqual([await openedBy(before), (await openedBy(present)) !== undefined], [undefined, true]);
    assert.match(await rewrap(['rewrap', '--finish']), /^No other master key is valid\.$/);
  });

  test('that was never activated is discarded by --finish, with every file of sealed data', async () => {
    const [next, text, tables] = [`${file}.next`, findText(file), [...new Set(SEALED_COLUMNS.map(({ table }) => table))]];
    const files = async () =>
      (await admin.query<{ file: string }>('select pg_relation_filenode(name)::text as file from unnest($1::text[]) name', [tables])).rows;
    const before = await files();
    assert.match(await rewrap(['rewrap', '--to-file', next, '--keep-old', '--reason', 'Broken off.']), /3 of 3 {2}Left/);
    assert.match(
      await rewrap(['rewrap', '--finish']),
      /^Retired: [0-9a-f]{16}\. .*\n.*master\.key\.next contained one of them and was removed\.$/,
    );
    assert.deepEqual([existsSync(next), findText(file), (await live()).length], [false, text, 1]);
    const after = await files();
    for (const [at, { file: former }] of before.entries()) assert.notEqual(after[at]?.file, former, tables[at]);
  });

  test('moves to a command and back, and a command that encrypts nothing, fails or has the same key is refused', async () => {
    const kms = path.join(home, 'kms.mjs');
    writeFileSync(
      kms,
      `import { createCipheriv, createDecipheriv, randomBytes, createHash } from 'node:crypto';
       const name = process.argv[2];
       const operation = process.argv.at(-1);
       const given = Buffer.from((await process.stdin.toArray()).join(''), 'base64');
       const key = createHash('sha256').update(name).digest();
       const nonce = operation === 'wrap' ? randomBytes(12) : given.subarray(0, 12);
       const made = (operation === 'wrap' ? createCipheriv : createDecipheriv)('aes-256-gcm', key, nonce);
       if (operation === 'unwrap') made.setAuthTag(given.subarray(-16));
       const body = Buffer.concat([made.update(operation === 'wrap' ? given : given.subarray(12, -16)), made.final()]);
       console.log((operation === 'wrap' ? Buffer.concat([nonce, body, made.getAuthTag()]) : body).toString('base64'));`,
    );
    const [command, other] = ['one', 'other'].map((name) => JSON.stringify([process.execPath, kms, name])) as [string, string];
    const [before, because] = [findText(file), ['--reason', 'To a key management service.']];
    assert.match(
      await rewrap(['rewrap', '--to-command', '["/bin/sh", "-c", "cat", "sh"]', ...because]),
      /REFUSED .* returned the key unchanged/,
    );
    assert.match(
      await rewrap(['rewrap', '--to-command', '/bin/false', ...because]),
      /REFUSED .*"\/bin\/false"\) asked to wrap .* ended with 1\./,
    );
    assert.ok(await openedBy(before), 'nothing was changed by what was refused');
    assert.match(
      await rewrap(['rewrap', '--to-command', command, ...because]),
      new RegExp(
        `2 of 3 .*SVC_MASTER_KEY_COMMAND.*\n3 of 3 .* is retired[^]*\n${file} contained it\\. Remove it when you keep no earlier backups`,
      ),
    );
    assert.deepEqual([await openedBy(before), await opensAny(before)], [undefined, false]);
    const { code, said } = await runAdmin(['owners'], { SVC_MASTER_KEY_COMMAND: command });
    assert.equal(code, 0, said);
    assert.match(
      (await runAdmin(['owners'], { SVC_MASTER_KEY_COMMAND: other })).said,
      /asked to unwrap the key of the installation ended with 1/,
    );
    const env = { SVC_MASTER_KEY_COMMAND: command };
    assert.match(await rewrap(['rewrap', '--to-command', command, ...because], env), /REFUSED The new master key is the current one/);
    // Another name of the same key at the same service: each opens what the other wrapped.
    const alias = JSON.stringify([process.execPath, kms, 'one', 'by another name']);
    assert.match(await rewrap(['rewrap', '--to-command', alias, '--keep-old', ...because], env), /3 of 3 {2}Left: .* --finish/);
    const both = await live();
    assert.match(
      await rewrap(['rewrap', '--finish'], { SVC_MASTER_KEY_COMMAND: alias }),
      /REFUSED .* more than one master key wrapped, .* nothing was changed: repeat the change/,
    );
    assert.deepEqual([both.length, await live()], [2, both]);
    assert.match(await rewrap(['rewrap', '--to-command', alias, ...because], env), /3 of 3 .* is retired/);
    assert.deepEqual(await live(), both.slice(1));
    rmSync(file);
    assert.match(await rewrap(['rewrap', '--to-file', file, '--reason', 'And back.'], env), /3 of 3 .* is retired/);
    assert.ok(await openedBy(findText(file)));
    assert.match(await rewrap(['rewrap', '--finish'], env), /REFUSED The master key does not match this database/);
  });

  test(`is not lost by a kill -9 during a change, ${KILLS} times, and the next run continues`, async () => {
    const seen = new Set([findText(file)]);
    /** Events after which the process is killed: a write, or an output. */
    const moments = ['next', '1 of 3', '2 of 3', 'some time'] as const;
    for (let round = 0; round < KILLS; round += 1) {
      const moment = moments[round % moments.length] ?? 'next';
      const child = spawn(process.execPath, [path.join(root, 'apps/launcher/src/admin.ts'), 'rewrap', '--reason', `Round ${round}.`], {
        cwd: root,
        env: environment(),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += chunk;
      });
      const ended = once(child, 'exit');
      const isOver = (): boolean => child.exitCode !== null;
      while (!isOver() && (moment === 'next' ? !existsSync(`${file}.next`) : moment !== 'some time' && !said.includes(moment)))
        await sleep(1);
      await sleep(moment === 'some time' ? 300 + Math.random() * 1_500 : Math.random() * 30);
      child.kill('SIGKILL');
      await ended;
      seen.add(findText(file));
      assert.ok(await openedBy(findText(file)), `round ${round}, killed at ${moment}: ${said}`);
    }
    assert.doesNotMatch(await rewrap(['rewrap', '--reason', 'The end.']), /REFUSED/);
    const [present, own] = [findText(file), await openedBy(findText(file))];
    assert.ok(own);
    assert.deepEqual([(await live()).length, existsSync(`${file}.next`)], [1, false]);
    for (const former of seen) if (former !== present) assert.equal(await opensAny(former), false);
    const { sealed, opened } = await countDecryptable(admin, own);
    assert.equal(opened, sealed);
  });
});
