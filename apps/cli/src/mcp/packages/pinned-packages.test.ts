import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { openSvc, type Svc } from '@svc/testing/processes/open-svc.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { newServerSource, type PackageRegistry, startPackageRegistry } from './package-registry.fixture.ts';

const at = createScene({ steppedUp: true });
let svc: Svc;
let registry: PackageRegistry;
let agent: readonly string[];
let startedFile: string;

const run = (...args: readonly string[]) =>
  svc.run(args, { env: { ...registry.env, SVC_URL: at.planes.controlUrl, SVC_TOKEN: at.tenant.token } });

at.before(async () => {
  svc = openSvc();
  registry = await startPackageRegistry();
  startedFile = join(svc.folder, 'started');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(svc.folder, 'agent.key');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const { environment_id, workspace_id } = at.tenant;
  const public_key = publicKey.export({ type: 'spki', format: 'pem' });
  const made = await mustCall(at.planes.controlUrl, 'POST', '/v1/agents', {
    token: at.tenant.token,
    body: { name: 'desktop', environment_id, workspace_id, capabilities: [], public_key },
  });
  agent = ['--agent', made.data.agent.id, '--key-file', keyFile, '--gateway', at.planes.gatewayUrl];
  await activateRules(at.tenant, 'all', [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }]);
});
after(async () => {
  await registry.close();
  svc.remove();
});
beforeEach(() => rmSync(startedFile, { force: true }));

const writeConfiguration = (name: string, servers: object): string => {
  const file = join(svc.folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ mcpServers: servers }, null, 2));
  return file;
};

type Entry = { readonly command: string; readonly args: string[] };
const readEntry = (file: string, name: string): Entry => JSON.parse(readFileSync(file, 'utf8')).mcpServers[name];

const importEntry = async (name: string, command: readonly string[]): Promise<{ readonly file: string; readonly entry: Entry }> => {
  const [program, ...args] = command;
  const file = writeConfiguration(name, { [name]: { command: program, args } });
  const applied = await run('mcp', 'import', '--file', file, '--client', 'claude-code', '--apply', '--yes', ...agent);
  assert.equal(applied.code, 0, applied.stderr);
  return { file, entry: readEntry(file, name) };
};

const start = ({ args }: Entry) =>
  svc.run(args.slice(args[0]?.endsWith('.mjs') ? 1 : 0), { env: { ...registry.env, PATH: process.env.PATH ?? '' }, input: '' });

test('an imported entry pins the exact version and the integrity, and its server runs from that archive through the gateway', async () => {
  const integrity = registry.publish('notes', '1.4.0', newServerSource(startedFile, 'first'));
  const file = writeConfiguration('plan', { notes: { command: 'npx', args: ['-y', 'notes@^1', '--folder', '/x'] } });
  const planned = await run('mcp', 'import', '--file', file, '--client', 'claude-code', '--json');
  assert.deepEqual(planned.json[0].servers[0].package, { name: 'notes', version: '1.4.0', integrity });
  assert.match(planned.stderr, /pinned: notes@1\.4\.0/);
  const { entry } = await importEntry('notes', ['npx', '-y', 'notes@^1', '--folder', '/x']);
  const pinned = entry.args.indexOf('--integrity');
  assert.deepEqual(entry.args.slice(pinned, pinned + 2).concat(entry.args.slice(entry.args.indexOf('--'))), [
    '--integrity',
    integrity,
    '--',
    'npx',
    '-y',
    'notes@1.4.0',
    '--folder',
    '/x',
  ]);
  // A newer version does not run.
  registry.publish('notes', '1.5.0', newServerSource(startedFile, 'newer'));
  const program = join(svc.folder, 'notes.js');
  writeFileSync(program, newServerSource(startedFile, 'first'));
  const registered = await run('mcp', 'register', '--prefix', 'notes.', '--yes', ...agent.slice(0, 2), '--', process.execPath, program);
  assert.equal(registered.code, 0, registered.stderr);
  const client = new Client({ name: 'client', version: '1' });
  const env = { ...registry.env, PATH: process.env.PATH ?? '', SVC_CONFIG_DIR: svc.configFolder };
  await client.connect(new StdioClientTransport({ command: entry.command, args: entry.args, env }));
  try {
    const answered = await client.callTool({ name: 'read', arguments: {} });
    assert.match(JSON.stringify(answered), /first --folder \/x/);
  } finally {
    await client.close();
  }
  const { data } = await mustCall(at.planes.controlUrl, 'GET', '/v1/actions?limit=1', { token: at.tenant.token });
  assert.equal(`${data[0].tool} ${data[0].status}`, 'notes.read COMPLETED');
  // The installed package starts without the registry.
  const before = registry.requests.length;
  assert.equal((await start(entry)).code, 0);
  assert.equal(registry.requests.length, before);
});

test('a package whose archive was replaced, with its integrity or without, is not started', async () => {
  registry.publish('replaced', '1.0.0', newServerSource(startedFile, 'first'));
  const replaced = await importEntry('replaced', ['npx', '-y', 'replaced']);
  registry.publish('replaced', '1.0.0', newServerSource(startedFile, 'evil'));
  const refused = await start(replaced.entry);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /not the pinned version 1\.0\.0 with the pinned integrity/);
  registry.publish('corrupted', '1.0.0', newServerSource(startedFile, 'first'));
  const corrupted = await importEntry('corrupted', ['npx', '-y', 'corrupted@1.0.0']);
  registry.corrupt('corrupted', '1.0.0');
  const failed = await start(corrupted.entry);
  assert.notEqual(failed.code, 0);
  assert.match(failed.stderr, /could not install corrupted@1\.0\.0/);
  assert.ok(!existsSync(startedFile), 'nothing of them ran');
  const installed = readdirSync(join(svc.configFolder, 'mcp-packages'));
  assert.ok(!installed.some((name) => name.includes('-')), 'no part of an installation is left');
});

test('an installed package that was changed since is not started', async () => {
  const integrity = registry.publish('changed', '1.0.0', newServerSource(startedFile, 'first'));
  const { entry } = await importEntry('changed', ['npx', '-y', 'changed']);
  assert.equal((await start(entry)).code, 0);
  rmSync(startedFile);
  const root = join(svc.configFolder, 'mcp-packages');
  for (const folder of readdirSync(root)) {
    const lock = join(root, folder, 'package-lock.json');
    writeFileSync(lock, readFileSync(lock, 'utf8').replaceAll(integrity, `sha512-${'A'.repeat(86)}==`));
  }
  const refused = await start(entry);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /The server is not started/);
  assert.ok(!existsSync(startedFile));
});

test('an entry whose package cannot be pinned says so, and is governed nevertheless', async () => {
  const file = writeConfiguration('unpinned', {
    unknown: { command: 'npx', args: ['-y', 'nowhere-to-be-found'] },
    python: { command: 'uvx', args: ['some-server'] },
    plain: { command: process.execPath, args: ['server.js'] },
  });
  const planned = await run('mcp', 'import', '--file', file, '--client', 'claude-code', '--json');
  const [unknown, python, plain] = planned.json[0].servers;
  assert.match(unknown.not_pinned, /no such package/);
  assert.match(python.not_pinned, /uvx/);
  assert.deepEqual([plain.not_pinned, plain.package], [undefined, undefined]);
  const down = { ...registry.env, npm_config_registry: 'http://127.0.0.1:1', SVC_URL: at.planes.controlUrl, SVC_TOKEN: at.tenant.token };
  const options = ['--file', file, '--client', 'claude-code', '--apply', '--yes', ...agent];
  const applied = await svc.run(['mcp', 'import', ...options], { env: down });
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stderr, /unknown .*\(not pinned: the registry could not be reached\)/);
  const { args } = readEntry(file, 'unknown');
  assert.deepEqual(args.slice(args.indexOf('--unpinned')), ['--unpinned', '--', 'npx', '-y', 'nowhere-to-be-found']);
  assert.ok(!readEntry(file, 'plain').args.includes('--unpinned'));
  const wrong = await run('mcp', 'proxy', ...agent, '--integrity', 'sha512-x', '--', 'npx', '-y', 'notes@1.0.0');
  assert.match(wrong.stderr, /--integrity must be/);
  const ranged = await run('mcp', 'proxy', ...agent, '--integrity', `sha512-${'A'.repeat(86)}==`, '--', 'npx', '-y', 'notes@^1');
  assert.match(ranged.stderr, /exact version/);
});
