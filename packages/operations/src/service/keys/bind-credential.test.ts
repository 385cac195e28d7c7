import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openCredentialSecret, type SecretBinding } from '@svc/keyring/sealed/credential-secret.ts';
import { newWrappedDataKey, sealEnvelope, unwrapDataKey } from '@svc/keyring/sealed/envelope.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { BINDS_CREDENTIALS } from '@svc/postgres/migrate/bind-credentials.ts';
import { lookAtDatabase } from '@svc/postgres/migrate/look-at-database.ts';
import { applyAll, asOwner, migrate } from '@svc/postgres/migrate/migrate.ts';
import { readMigrations } from '@svc/postgres/migrate/read-migrations.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import type pg from 'pg';
import { newBindCredential } from './bind-credential.ts';

let server: ManagedServer;
before(async () => {
  server = await (SERVER_KINDS[0] ?? assert.fail()).start();
});
after(() => server.remove());

const key = createSecretKey(randomBytes(64));
const wrappingKey = deriveKey(key, 'data-key-wrapping');
const installation = deriveInstallation(key);
const ORGANIZATION = 'org_1';
const wrapped = newWrappedDataKey(wrappingKey, ORGANIZATION);
const dataKey = unwrapDataKey(wrappingKey, wrapped, ORGANIZATION);

/** Seals like an earlier version: for its row and generation. */
const sealedBefore = (secret: string, id: string, generation: number): Buffer =>
  sealEnvelope(dataKey, Buffer.from(secret), `credentials/${ORGANIZATION}/${id}/secret/${generation}`);

type Stored = SecretBinding & { readonly sealed_secret: Buffer; readonly sealed_previous_secret: Buffer | null };

const OAUTH = { token_url: 'https://login.example/token', grant: 'CLIENT_CREDENTIALS', client_id: 'acme' };
const INSERT = `
  insert into credentials (organization_id, id, workspace_id, environment_id, name, description, scheme, placement, destinations, tools,
    generation, oauth, sealed_secret, sealed_previous_secret, previous_ends_at, created_by)
  values ('org_1', $1, 'wks_1', 'env_1', $1, '', 'HEADER', '{"prefix": "Token", "header": "X-Api-Key"}', '{a.example,*.b.example}', '{refund}',
    2, $2, $3, $4, case when $4::bytea is null then null else now() end, 'usr_1')`;

const storeBefore = async (inside: pg.Client): Promise<void> => {
  await inside.query("set session_replication_role = replica; insert into organizations (id, name) values ('org_1', 'o')");
  await inside.query('insert into data_keys (organization_id, wrapped_key) values ($1, $2)', [ORGANIZATION, wrapped]);
  await inside.query(INSERT, ['cred_1', null, sealedBefore('the present one', 'cred_1', 2), sealedBefore('the one before', 'cred_1', 1)]);
  await inside.query(INSERT, ['cred_2', JSON.stringify(OAUTH), sealedBefore('{"client_secret":"a proof"}', 'cred_2', 2), null]);
  await inside.query(INSERT, ['cred_3', null, sealedBefore('of another row', 'cred_9', 2), null]);
  await inside.query('set session_replication_role = origin');
};

test('a secret sealed by an earlier version opens after the upgrade for what its row states, once, and an unreadable one stays unchanged', async () => {
  const { url, client } = await server.newDatabase();
  const earlier = (await readMigrations()).filter(({ name }) => name < BINDS_CREDENTIALS);
  await asOwner(url, async (owner) =>
    applyAll({ client: owner, ownerUrl: url, installation, found: await lookAtDatabase(owner) }, earlier),
  );
  const inside = await server.asSuperuser(new URL(url).pathname.slice(1));
  await storeBefore(inside);
  const stored = async () => (await inside.query<Stored>('select * from credentials order by id')).rows;
  const before = await stored();
  const bind = newBindCredential(key);
  assert.ok((await migrate(url, installation, { bind })).applied.includes(BINDS_CREDENTIALS));
  const [first, second, third] = await stored();
  assert.ok(first?.sealed_previous_secret && second && third);
  assert.equal(openCredentialSecret(dataKey, first.sealed_secret, first).secret, 'the present one');
  assert.equal(openCredentialSecret(dataKey, first.sealed_previous_secret, { ...first, generation: 1 }).secret, 'the one before');
  assert.equal(openCredentialSecret(dataKey, second.sealed_secret, second).secret, '{"client_secret":"a proof"}');
  assert.deepEqual(third, { ...before[2], extras: [], servers: [] });
  // A restored value that an earlier version sealed is not accepted for the row.
  await inside.query('update credentials set sealed_secret = $1 where id = $2', [before[0]?.sealed_secret, 'cred_1']);
  assert.deepEqual((await migrate(url, installation, { bind })).applied, []);
  const [again] = await stored();
  assert.throws(() => openCredentialSecret(dataKey, again?.sealed_secret ?? assert.fail(), again ?? assert.fail()));
  const owner = await client();
  const kept = await owner.query(
    "select relforcerowsecurity as forced, (select bool_and(tgenabled = 'O') from pg_trigger where tgrelid = c.oid) as fires from pg_class c where relname = 'credentials'",
  );
  assert.deepEqual(kept.rows, [{ forced: true, fires: true }]);
  await Promise.all([inside.end(), owner.end()]);
});
