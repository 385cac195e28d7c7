import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { sealEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { createPlatformKey } from '@svc/keyring/sealed/platform-key.ts';
import { openSealed, SEALED_COLUMNS, type SealedColumn } from '@svc/keyring/sealed/sealed-columns.ts';
import type pg from 'pg';

type Row = Readonly<Record<string, string>>;
type Column = { readonly name: string; readonly type: string };

/** Values of columns with checks; other columns are filled by type. */
const FITTING: Readonly<Record<string, string>> = { state: 'WAITING', kind: 'OIDC', status: 'ACTIVE', base_currency: 'EUR' };
/** Kinds of rows with a sealed secret, where another kind has none. */
const KINDS: Readonly<Record<string, string>> = { second_factors: 'TOTP' };
/** Other values of rows of that kind. */
const BESIDES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { sso_connections: { client_id: 'a client' } };

const fillFor = (table: string, { name, type }: Column, round: number): unknown => {
  if (name === 'kind') return KINDS[table] ?? FITTING.kind;
  if (FITTING[name] !== undefined) return FITTING[name];
  if (type === 'bytea') return randomBytes(32);
  if (type.startsWith('timestamp')) return '2999-01-01T00:00:00Z';
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'bigint') return 1;
  if (type === 'ARRAY') return [];
  return type === 'jsonb' ? '[]' : `${name} ${round}`;
};

const wantedOf = async (client: pg.Client, table: string): Promise<readonly Column[]> =>
  (
    await client.query<Column>(
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null order by ordinal_position`,
      [table],
    )
  ).rows;

const placeRow = ({ rowBy }: SealedColumn, values: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(rowBy.map((name) => [name, Buffer.isBuffer(values[name]) ? values[name].toString('hex') : String(values[name])]));

const insert = async (client: pg.Client, table: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
  const names = Object.keys(values);
  await client.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(values),
  );
};

/** Inserts values in every sealed column, sealed with `key`, like a running service. Needs a superuser. */
export const insertSealed = async (client: pg.Client, key: KeyObject, rounds: number): Promise<void> => {
  await client.query('set session_replication_role = replica');
  const { kid, public_key, sealed_private_key } = createPlatformKey(deriveKey(key, 'platform-key-wrapping'));
  await insert(client, 'platform_keys', { key_id: kid, public_key, private_key_sealed: sealed_private_key });
  for (const column of SEALED_COLUMNS.filter(({ table, column: name }) => table !== 'platform_keys' && !name.includes('previous')))
    for (let round = 1; round <= rounds; round += 1) {
      const wanted = await wantedOf(client, column.table);
      const values = Object.fromEntries(wanted.map((each) => [each.name, fillFor(column.table, each, round)]));
      const sealed = sealEnvelope(
        deriveKey(key, column.purpose),
        createSecretKey(randomBytes(32)).export(),
        column.placeOf(placeRow(column, values)),
      );
      await insert(client, column.table, { ...values, ...BESIDES[column.table], [column.column]: sealed });
    }
  const ofOrganization = await wantedOf(client, 'organizations');
  for (let round = 1; round <= rounds; round += 1) {
    const values = Object.fromEntries(ofOrganization.map((each) => [each.name, fillFor('organizations', each, round)]));
    await insert(client, 'organizations', { ...values, id: `organization_id ${round}` });
  }
  await client.query('update webhook_subscriptions set sealed_previous_secret = sealed_secret');
  await client.query('set session_replication_role = origin');
};

/** Counts of sealed values, of those that a key opens, and the columns without any. */
export type SealedCounts = { readonly sealed: number; readonly opened: number; readonly empty: readonly string[] };

export const countOpened = async (client: pg.Client, key: KeyObject): Promise<SealedCounts> => {
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
        openSealed(key, column, placeRow(column, row), value);
        opened += 1;
      } catch {
        // Not with this key.
      }
    }
  }
  return { sealed, opened, empty };
};
