import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createSelfSigned } from '@svc/testing/peers/self-signed.ts';
import pg from 'pg';
import { isUnavailable } from './is-unavailable.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'svc-socket-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const knock = async (): Promise<unknown> => {
  const client = new pg.Client({ host: folder, port: 5432, connectionTimeoutMillis: 500 });
  client.on('error', () => {});
  return await client.connect().then(
    () => undefined,
    (error: unknown) => error,
  );
};

/** Listens like PostgreSQL and never responds. */
const startSilent = async () => {
  const listen = `require('node:net').createServer(() => {}).listen({ path: process.argv[1], backlog: 1 }, () => console.log('listening'))`;
  const child = spawn(process.execPath, ['-e', listen, path.join(folder, '.s.PGSQL.5432')], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
};

describe('a database is unavailable, without a fault of ours,', () => {
  test('when its socket is missing, no one listens, no one responds, or it has no more capacity', async (t) => {
    assert.ok(isUnavailable(await knock()), 'no socket');
    const silent = await startSilent();
    t.after(() => silent.kill('SIGKILL'));
    assert.ok(isUnavailable(await knock()), 'no answer');
    silent.kill('SIGSTOP');
    const errors = await Promise.all(Array.from({ length: 20 }, knock));
    assert.ok(errors.every(isUnavailable), `${errors.find((error) => !isUnavailable(error))}`);
    if (process.platform === 'linux') assert.ok(errors.some((error) => (error as NodeJS.ErrnoException).code === 'EAGAIN'));
    const gone = new Promise((resolve) => silent.once('exit', resolve));
    silent.kill('SIGKILL');
    await gone;
    assert.equal(((await knock()) as NodeJS.ErrnoException).code, 'ECONNREFUSED');
    assert.ok(isUnavailable(await knock()), 'nobody listens');
  });

  test('when its certificate is for another server, or it speaks no TLS, since it may be moved or renewed', async () => {
    const { privateKey, certificate } = createSelfSigned();
    const context = createSecureContext({ key: privateKey, cert: certificate });
    const secured = (socket: Socket) => new TLSSocket(socket, { isServer: true, secureContext: context }).on('error', () => {});
    const answers: Record<string, (socket: Socket) => void> = {
      'a certificate of its own': (socket) => {
        socket.write('S');
        secured(socket);
      },
      'no TLS': (socket) => socket.write('N'),
      'something else': (socket) => socket.write('X'),
      'a broken handshake': (socket) => socket.write('Sno handshake at all'),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => answer(socket));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const client = new pg.Client({ host: '127.0.0.1', port, ssl: {}, connectionTimeoutMillis: 2_000 });
      client.on('error', () => {});
      const error = await client.connect().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      server.close();
      assert.ok(error instanceof Error && !/timeout/.test(error.message), `${name}: ${error}`);
      assert.ok(isUnavailable(error), `${name}: ${error}`);
    }
  });

  test('when the server reports it, or a missing object; a statement error is an internal error', () => {
    const MISSING = ['42501', '42P01', '42703', '42883', '42704', '3F000'];
    const said = (code: string) => Object.assign(new pg.DatabaseError('text', 4, 'error'), { code });
    for (const code of ['57014', '57P01', '57P03', '53300', '55P03', '40P01', '25P03', '08006', '58030', ...MISSING])
      assert.ok(isUnavailable(said(code)), code);
    for (const code of ['23505', '42601', '22P02']) assert.ok(!isUnavailable(said(code)), code);
    assert.ok(!isUnavailable(new TypeError('undefined is not a function')));
  });
});
