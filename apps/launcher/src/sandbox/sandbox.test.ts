import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Sandbox, type SandboxRequest, startSandbox } from './sandbox.ts';

describe('the sandbox receiver', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-sandbox-test-'));
  const portFile = path.join(home, 'sandbox.port');
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox(portFile);
  });
  after(async () => {
    await sandbox.stop();
    rmSync(home, { recursive: true });
  });
  const asOwner = { headers: { authorization: '' } };
  const kept = async (): Promise<SandboxRequest[]> => {
    asOwner.headers.authorization = `Bearer ${sandbox.key}`;
    return ((await (await fetch(`${sandbox.origin}/requests`, asOwner)).json()) as { requests: SandboxRequest[] }).requests;
  };

  test('answers any path and method with what it received, and returns it afterwards', async () => {
    const posted = await fetch(`${sandbox.origin}/refunds?x=1`, { method: 'POST', body: JSON.stringify({ amount: 5 }) });
    assert.equal(posted.status, 200);
    const answer = (await posted.json()) as { id: number };
    assert.deepEqual(answer, { received: { method: 'POST', path: '/refunds?x=1', body: { amount: 5 } }, id: answer.id });
    const got = (await (await fetch(`${sandbox.origin}/anything`)).json()) as unknown;
    assert.deepEqual(got, { received: { method: 'GET', path: '/anything', body: null }, id: answer.id + 1 });
    const text = (await (await fetch(sandbox.origin, { method: 'PUT', body: 'plain words' })).json()) as { received: unknown };
    assert.deepEqual(text.received, { method: 'PUT', path: '/', body: 'plain words' });
    assert.deepEqual(
      (await kept()).map(({ path }) => path),
      ['/', '/anything', '/refunds?x=1'],
    );
  });

  test('answers as an MCP server at one path, and stores its requests too', async () => {
    const ask = async (method: string, params: object = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
      const response = await fetch(`${sandbox.origin}/mcp`, { method: 'POST', body });
      const { id, result, error } = (await response.json()) as { id: number; result?: { tools?: { name: string }[] }; error?: object };
      return { status: response.status, id, result, error };
    };
    const listed = await ask('tools/list');
    assert.deepEqual([listed.id, listed.result?.tools?.map(({ name }) => name)], [7, ['search_tickets', 'close_ticket']]);
    assert.match(JSON.stringify(await ask('tools/call', { name: 'search_tickets', arguments: { query: 'late' } })), /late/);
    const unknown = await ask('prompts/list');
    assert.deepEqual([unknown.status, unknown.error], [404, { code: -32_601, message: 'Method not found' }]);
    assert.equal((await fetch(`${sandbox.origin}/mcp`, { method: 'POST', body: 'no JSON' })).status, 404);
    assert.equal((await kept()).filter(({ path }) => path === '/mcp').length, 4);
  });

  test('returns stored requests only with the key, and otherwise answers as at any other path', async () => {
    await fetch(`${sandbox.origin}/mine`, { method: 'POST', body: '{"secret":"of another"}' });
    for (const authorization of [undefined, '', 'Bearer ', `Bearer ${sandbox.key}x`, `Basic ${sandbox.key}`, sandbox.key]) {
      const answer = await fetch(`${sandbox.origin}/requests`, { headers: authorization === undefined ? {} : { authorization } });
      const text = await answer.text();
      assert.equal(text.includes('of another'), false, text);
      assert.match(text, /^{"received":{"method":"GET","path":"\/requests","body":null},"id":\d+}$/);
    }
    assert.ok((await kept()).some(({ path }) => path === '/mine'));
  });

  test('stores a limited number of bytes, the newest first', async () => {
    for (let n = 0; n < 20; n += 1) await fetch(`${sandbox.origin}/large/${n}`, { method: 'POST', body: '['.repeat(262_144) });
    const paths = (await kept()).map(({ path }) => path);
    assert.deepEqual([paths.length, paths[0], paths[15]], [16, '/large/19', '/large/4']);
  });

  test('stores the last hundred requests', async () => {
    for (let n = 0; n < 105; n += 1) await fetch(`${sandbox.origin}/n/${n}`);
    const paths = (await kept()).map(({ path }) => path);
    assert.deepEqual([paths.length, paths[0], paths[99]], [100, '/n/104', '/n/5']);
  });

  test('refuses a body over 256 KiB and accepts one of exactly that', async () => {
    const send = (size: number) => fetch(`${sandbox.origin}/big`, { method: 'POST', body: 'x'.repeat(size) });
    assert.equal((await send(262_145)).status, 413);
    assert.equal((await send(262_144)).status, 200);
  });

  test('is reachable from this machine only', () => {
    assert.match(sandbox.origin, /^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('keeps its port, and uses another only if that is in use or invalid', async () => {
    const { origin } = sandbox;
    await sandbox.stop();
    sandbox = await startSandbox(portFile);
    assert.equal(sandbox.origin, origin);
    await sandbox.stop();
    const other = createServer().listen(Number(new URL(origin).port), '127.0.0.1');
    sandbox = await startSandbox(portFile);
    assert.notEqual(sandbox.origin, origin);
    assert.equal((await fetch(sandbox.origin)).status, 200);
    await new Promise((resolve) => other.close(resolve));
    await sandbox.stop();
    writeFileSync(portFile, 'seven');
    sandbox = await startSandbox(portFile);
    assert.equal((await fetch(sandbox.origin)).status, 200);
  });
});
