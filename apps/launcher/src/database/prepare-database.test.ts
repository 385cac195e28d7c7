import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { migrateDatabase, openDatabase, withoutCredentials } from './prepare-database.ts';

test("an address handed to the planes holds nobody's name or password, wherever they stood", () => {
  const addresses = [
    'postgres://owner:hunter2@db.example:5433/records?sslmode=verify-full',
    'postgres://owner:hunter2@/records?host=%2Frun%2Fpg',
    'postgresql://db.example/records?user=owner&password=hunter2',
  ];
  assert.deepEqual(addresses.map(withoutCredentials), [
    'postgres://db.example:5433/records?sslmode=verify-full',
    'postgres://localhost/records?host=%2Frun%2Fpg',
    'postgresql://db.example/records',
  ]);
});

test("a database of one's own that does not answer is one sentence with the reason and without its password", async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const database = await openDatabase('/nowhere', `postgres://owner:hunter2@127.0.0.1:${port}/records`, () => {});
  await assert.rejects(migrateDatabase(database, { kind: 'KEY', key: createSecretKey(randomBytes(32)) }), (error: Error) => {
    assert.match(
      error.message,
      /^The database at DATABASE_URL could not be brought up to date \(connect ECONNREFUSED .*\): see that it runs/,
    );
    assert.ok(!error.message.includes('hunter2'));
    return true;
  });
});
