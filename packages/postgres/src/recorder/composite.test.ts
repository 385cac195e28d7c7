import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { type CompositeField, UnsendableValue, writeArray, writeFields } from './composite.ts';
import { newWireBytes } from './wire-bytes.ts';

type Row = {
  readonly text: string | null;
  readonly json: string | null;
  readonly long: number | null;
  readonly hex: string | null;
  readonly at: string | null;
};

const FIELDS: readonly CompositeField<Row>[] = [
  { type: 'text', read: (row) => row.text },
  { type: 'json', read: (row) => row.json },
  { type: 'bigint', read: (row) => row.long },
  { type: 'bytea', read: (row) => row.hex },
  { type: 'timestamptz', read: (row) => row.at },
];

const database = await createFreshDatabase();
const client = await database.client();
await client.query('create type sent_row as (text text, json json, long bigint, hex bytea, at timestamptz)');
const bytes = newWireBytes();
after(async () => {
  await client.end();
  await database.drop();
});

const NULLS: Row = { text: null, json: null, long: null, hex: null, at: null };

const encode = (rows: readonly Row[]): Buffer => {
  bytes.begin();
  writeArray(bytes, rows, (row) => {
    bytes.int32(FIELDS.length);
    writeFields(bytes, FIELDS, row);
  });
  return bytes.written();
};

const readBack = async (rows: readonly Row[]): Promise<Row[]> => {
  const text = `select text, json::text as json, long::text, encode(hex, 'hex') as hex, at from unnest($1::sent_row[])`;
  const read = await client.query(text, [encode(rows)]);
  return read.rows.map((row) => ({ ...row, long: row.long === null ? null : Number(row.long), at: row.at?.toISOString() ?? null }));
};

test('encodes every value as PostgreSQL reads it, and null as null', async () => {
  const texts = ['plain', '', 'null', '{"a","b"}', 'back\\slash and "quotes"', 'line\nbreak\tand tab', 'Zürich, 東京, 🙂', ' '];
  const longs = [0, 1, -1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  const instants = ['2000-01-01T00:00:00.000Z', '1969-07-20T20:17:40.123Z', '2026-11-21T17:53:26.999Z', '9999-12-31T23:59:59.999Z'];
  const rows: Row[] = [
    ...texts.map((text) => ({ ...NULLS, text })),
    ...['{"a": 1,\n "b":[true,null]}', '"\\u00e9"', '"Grüße 🙂"', '[]'].map((json) => ({ ...NULLS, json })),
    ...longs.map((long) => ({ ...NULLS, long })),
    ...['', '00', 'deadbeef', 'f'.repeat(64)].map((hex) => ({ ...NULLS, hex })),
    ...instants.map((at) => ({ ...NULLS, at })),
    NULLS,
    { text: 'all', json: '{}', long: 7, hex: '07', at: instants[2] ?? null },
  ];
  assert.deepEqual(await readBack(rows), rows);
});

test('rejects invalid JSON, and a character that no text can contain', async () => {
  await assert.rejects(readBack([{ ...NULLS, json: '{' }]), { code: '22P02' });
  await assert.rejects(readBack([{ ...NULLS, text: 'a\u0000b' }]), { code: '22021' });
});

test('rejects a value that its type cannot represent before sending it', () => {
  const unsendable = [
    ...[1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 63].map((long) => ({ ...NULLS, long })),
    ...['nonsense', ''].map((at) => ({ ...NULLS, at })),
    ...['zz', 'abc', 'AB '].map((hex) => ({ ...NULLS, hex })),
  ];
  for (const row of unsendable) assert.throws(() => encode([row]), UnsendableValue, JSON.stringify(row));
});

test('sends a batch of any size, and the next one after it', async () => {
  const large = Array.from({ length: 300 }, (_, index): Row => ({ ...NULLS, text: 'ü'.repeat(index * 20), long: index }));
  assert.deepEqual(await readBack(large), large);
  const small = [{ ...NULLS, text: 'next' }];
  assert.deepEqual(await readBack(small), small);
  assert.deepEqual(await readBack([]), []);
});
