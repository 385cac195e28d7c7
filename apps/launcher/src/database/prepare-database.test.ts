import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createSelfSigned } from '@svc/testing/peers/self-signed.ts';
import { migrateDatabase, openDatabase, removeCredentials } from './prepare-database.ts';
import { getDatabaseRemedy } from './remedy-for.ts';

test('an address given to the planes contains no name or password of its owner', () => {
  const addresses = [
    'postgres://owner:hunter2@db.example:5433/records?sslmode=verify-full',
    'postgres://owner:hunter2@/records?host=%2Frun%2Fpg',
    'postgresql://db.example/records?user=owner&password=hunter2',
  ];
  assert.deepEqual(addresses.map(removeCredentials), [
    'postgres://db.example:5433/records?sslmode=verify-full',
    'postgres://localhost/records?host=%2Frun%2Fpg',
    'postgresql://db.example/records',
  ]);
});

test('an own database that does not answer is one sentence with the reason and without its password', async () => {
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

test('an unreachable database is reported with the reason and the remedy', async (t) => {
  const sockets = new Set<Socket>();
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const { privateKey, certificate } = createSelfSigned();
  const context = createSecureContext({ key: privateKey, cert: certificate });
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, secureContext: context }).on('error', () => {});
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const plain = createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end('N'))).listen(0, '127.0.0.1');
  await new Promise((resolve) => plain.once('listening', resolve));
  t.after(() => plain.close());
  const { port: plainPort } = plain.address() as { port: number };
  const expected: Record<string, RegExp> = {
    [`postgres://owner:x@127.0.0.1:${port}/records?sslmode=require`]:
      /self-signed certificate.*: its certificate was not taken, so name who signed it with sslmode=verify-full/,
    [`postgres://owner:x@127.0.0.1:${plainPort}/records?sslmode=require`]: /does not support SSL.*: it speaks no TLS/,
    'postgres://owner:p@ss:w@nowhere.invalid/records': /ENOTFOUND.*: see that the name is right, and that a password has %40 for @/,
    'postgres://owner:x@127.0.0.1:1/records?sslmode=verify-full&sslrootcert=/nowhere/ca.pem':
      /: see that the files that the address names are there\.$/,
    'postgres://owner:x@127.0.0.1:1/records': /: see that it runs, and/,
  };
  for (const [address, told] of Object.entries(expected)) {
    const database = await openDatabase('/nowhere', address, () => {});
    await assert.rejects(migrateDatabase(database, { kind: 'KEY', key: createSecretKey(randomBytes(32)) }), told, address);
  }
});

test('an address without encryption is reported with the fix if the server requires encryption', () => {
  const why = 'no pg_hba.conf entry for host "10.0.0.1", user "owner", database "records", no encryption';
  assert.match(getDatabaseRemedy(new Error(why), why), /^it asks for TLS, so add \?sslmode=verify-full/);
});
