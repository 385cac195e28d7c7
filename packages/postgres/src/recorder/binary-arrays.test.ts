import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDatabase } from '@svc/testing/database.ts';
import { newBinaryArrays } from './binary-arrays.ts';

const database = await freshDatabase();
const client = await database.client();
const arrays = newBinaryArrays();
after(async () => {
  await client.end();
  await database.drop();
});

const readBack = async (cast: string, array: Buffer): Promise<unknown> =>
  (await client.query(`select $1::${cast} as read`, [array])).rows[0].read;

test('PostgreSQL reads every text as it was sent, the empty, the quoted and the many-byte ones, and null as null', async () => {
  const texts = ['plain', '', null, 'null', '{"a","b"}', 'back\\slash and "quotes"', 'line\nbreak\tand tab', 'Zürich, 東京, 🙂', ' ', null];
  assert.deepEqual(await readBack('text[]', arrays.encode('text', texts)), texts);
  assert.deepEqual(await readBack('text[]', arrays.encode('text', ['one'])), ['one']);
});

test('PostgreSQL keeps JSON letter by letter', async () => {
  const texts = ['{"a": 1,\n "b":[true,null]}', '"\\u00e9"', null, '[]'];
  const { rows } = await client.query('select sent::text as read from unnest($1::json[]) as sent', [arrays.encode('json', texts)]);
  assert.deepEqual(
    rows.map((row) => row.read),
    texts,
  );
});

test('what is not JSON is refused as such, and so is a character that no text can hold', async () => {
  await assert.rejects(readBack('json[]', arrays.encode('json', ['{}', '{'])), { code: '22P02' });
  await assert.rejects(readBack('text[]', arrays.encode('text', ['a\u0000b'])), { code: '22021' });
});

test('arrays stand beside each other until their memory is used again, and one of any size can be made', async () => {
  const short = arrays.encode('text', ['a', 'b']);
  const texts = ['x'.repeat(400_000), 'y'];
  const long = arrays.encode('text', texts);
  arrays.encode('text', ['over', 'there']);
  assert.deepEqual(await readBack('text[]', short), ['a', 'b']);
  assert.deepEqual(await readBack('text[]', long), texts);
  arrays.reuse();
  assert.deepEqual(await readBack('text[]', arrays.encode('text', ['c', null])), ['c', null]);
});
