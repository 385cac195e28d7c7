import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { sealEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { createPlatformKey } from '@svc/keyring/sealed/platform-key.ts';
import { openSealed, SEALED_COLUMNS, type SealedColumn } from '@svc/keyring/sealed/sealed-columns.ts';
import type pg from 'pg';

type Row = Readonly<Record<string, string>>;
type Column = { readonly name: string; readonly type: string };

/** Values for columns with check constraints; other columns get a value by type. */
const VALUES_BY_COLUMN: Readonly<Record<string, string>> = { state: 'WAITING', kind: 'OIDC', status: 'ACTIVE', base_currency: 'EUR' };
/** Values of `kind` for tables in which only some kinds have a sealed secret. */
const KINDS: Readonly<Record<string, string>> = { second_factors: 'TOTP' };
/** Additional column values, by table. */
const ADDITIONAL_VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { sso_connections: { client_id: 'a client' } };

const createValue = (table: string, { name, type }: Column, round: number): unknown => {
  if (name === 'kind') return KINDS[table] ?? VALUES_BY_COLUMN.kind;
  if (VALUES_BY_COLUMN[name] !== undefined) return VALUES_BY_COLUMN[name];
  if (type === 'bytea') return randomBytes(32);
  if (type.startsWith('timestamp')) return '2999-01-01T00:00:00Z';
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'bigint') return 1;
  if (type === 'ARRAY') return [];
  return type === 'jsonb' ? '[]' : `${name} ${round}`;
};

const listRequiredColumns = async (client: pg.Client, table: string): Promise<readonly Column[]> =>
  (
    await client.query<Column>(
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null order by ordinal_position`,
      [table],
    )
  ).rows;

const buildRowKey = ({ rowBy }: SealedColumn, values: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(rowBy.map((name) => [name, Buffer.isBuffer(values[name]) ? values[name].toString('hex') : String(values[name])]));

const insert = async (client: pg.Client, table: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
  const names = Object.keys(values);
  await client.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(values),
  );
};

/** Inserts rows with a value in every sealed (encrypted) column, encrypted with `key`. Requires a superuser. */
export const insertSealed = async (client: pg.Client, key: KeyObject, rounds: number): Promise<void> => {
  await client.query('set session_replication_role = replica');
  const { kid, public_key, sealed_private_key } = createPlatformKey(deriveKey(key, 'platform-key-wrapping'));
  await insert(client, 'platform_keys', { key_id: kid, public_key, private_key_sealed: sealed_private_key });
  for (const column of SEALED_COLUMNS.filter(({ table, column: name }) => table !== 'platform_keys' && !name.includes('previous')))
    for (let round = 1; round <= rounds; round += 1) {
      const requiredColumns = await listRequiredColumns(client, column.table);
      const values = Object.fromEntries(requiredColumns.map((each) => [each.name, createValue(column.table, each, round)]));
      const sealed = sealEnvelope(
        deriveKey(key, column.purpose),
        createSecretKey(randomBytes(32)).export(),
        column.placeOf(buildRowKey(column, values)),
      );
      await insert(client, column.table, { ...values, ...ADDITIONAL_VALUES[column.table], [column.column]: sealed });
    }
  const organizationColumns = await listRequiredColumns(client, 'organizations');
  for (let round = 1; round <= rounds; round += 1) {
    const values = Object.fromEntries(organizationColumns.map((each) => [each.name, createValue('organizations', each, round)]));
    await insert(client, 'organizations', { ...values, id: `organization_id ${round}` });
  }
  await client.query('update webhook_subscriptions set sealed_previous_secret = sealed_secret');
  await client.query('set session_replication_role = origin');
};

/** Number of sealed values, number of those that the key decrypts, and the columns without a value. */
export type SealedCounts = { readonly sealed: number; readonly opened: number; readonly empty: readonly string[] };

export const countDecryptable = async (client: pg.Client, key: KeyObject): Promise<SealedCounts> => {
  let [sealed, opened] = [0, 0];
  const empty: string[] = [];
  for (const column of SEALED_COLUMNS) {
    const { rows } = await client.query<Record<string, unknown> & { value: Buffer }>(
      `select ${column.rowBy.join(', ')}, ${column.column} as value from ${column.table} where ${column.column} is not null`,
    );
    if (rows.length === 0) empty.push(`${column.table}.${column.column}`);
    for (const { value, ...row } of rows) {
      sealed += 1;
      try {
        openSealed(key, column, buildRowKey(column, row), value);
        opened += 1;
      } catch {
        // Encrypted with another key.
      }
    }
  }
  return { sealed, opened, empty };
};
