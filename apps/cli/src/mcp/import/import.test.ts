import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { openSvc, type Svc } from '@svc/testing/processes/open-svc.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const require = createRequire(import.meta.url);
const MEMORY = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');

const at = createScene({ steppedUp: true });
let svc: Svc;
let agent: readonly string[];

const control = (method: string, path: string, body?: object) =>
  mustCall(at.planes.controlUrl, method, path, { token: at.tenant.token, ...(body === undefined ? {} : { body }) });
const run = (...args: readonly string[]) => svc.run(args, { env: { SVC_URL: at.planes.controlUrl, SVC_TOKEN: at.tenant.token } });

at.before(async () => {
  svc = openSvc();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(svc.folder, 'agent.key');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const { environment_id, workspace_id } = at.tenant;
  const public_key = publicKey.export({ type: 'spki', format: 'pem' });
  const made = await control('POST', '/v1/agents', { name: 'desktop', environment_id, workspace_id, capabilities: [], public_key });
  agent = ['--agent', made.data.agent.id, '--key-file', keyFile, '--gateway', at.planes.gatewayUrl];
  await activateRules(at.tenant, 'all', [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }]);
});
after(() => svc.remove());

const SECRETS = ['sk-live-0123456789', 'hunter2', 'tok_0123456789abcdefghijklmnop', 's3cr3t'];
const configuration = (): string => `{
  // My servers.
  "mcpServers": {
    "memory":   { "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(MEMORY)}], "env": { "API_KEY": "sk-live-0123456789" } },
    "database": { "command": "npx", "args": ["db", "--password", "hunter2", "postgres://me:s3cr3t@db.example/x", "tok_0123456789abcdefghijklmnop"] },
    "search":   { "url": "https://search.service.example/mcp" },
    "private":  { "url": "https://private.service.example/mcp", "headers": { "Authorization": "Bearer sk-live-0123456789" } },
    "older":    { "type": "sse", "url": "https://older.service.example/sse" }
  }
}
`;

const write = (path: string, text: string): string => {
  const full = join(svc.folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
};

test('shows a plan without secrets and writes nothing', async () => {
  const file = write('.cursor/mcp.json', configuration());
  const shown = await run('mcp', 'import', '--client', 'cursor', '--json');
  assert.equal(shown.code, 0, shown.stderr);
  const [{ servers }] = shown.json;
  const actions = servers.map(({ name, action }: { name: string; action: string }) => `${name} ${action}`);
  assert.deepEqual(actions, ['memory PROXY', 'database PROXY', 'search REGISTER', 'private LEAVE', 'older LEAVE']);
  for (const secret of SECRETS) assert.ok(!`${shown.stdout}${shown.stderr}`.includes(secret), secret);
  assert.equal(readFileSync(file, 'utf8'), configuration());
});

test('applies the plan once, keeps a private backup, and restores the file exactly', async () => {
  const file = write('.cursor/mcp.json', configuration());
  chmodSync(file, 0o640);
  const applied = await run('mcp', 'import', '--client', 'cursor', '--apply', '--yes', ...agent);
  assert.equal(applied.code, 0, applied.stderr);
  for (const secret of SECRETS) assert.ok(!`${applied.stdout}${applied.stderr}`.includes(secret), secret);
  const text = readFileSync(file, 'utf8');
  assert.equal(statSync(file).mode & 0o777, 0o640);
  for (const kept of [
    '// My servers.',
    '"env": { "API_KEY": "sk-live-0123456789" }',
    '"type": "sse", "url": "https://older.service.example/sse"',
  ])
    assert.ok(text.includes(kept), kept);
  assert.ok(!text.includes('https://search.service.example'));
  const servers = await control('GET', '/v1/mcp/servers');
  assert.deepEqual(
    servers.map(({ name }: { name: string }) => name),
    ['search'],
  );
  assert.match(text, new RegExp(`"--server", "${servers[0].id}"|"--server",\\s+"${servers[0].id}"`));
  const backups = join(svc.configFolder, 'mcp-backups');
  for (const name of readdirSync(backups)) assert.equal(statSync(join(backups, name)).mode & 0o777, 0o600);
  const again = await run('mcp', 'import', '--client', 'cursor', '--apply', '--yes', ...agent);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(readFileSync(file, 'utf8'), text, 'a second import changes nothing');
  assert.equal((await run('mcp', 'import', '--undo')).code, 0);
  assert.equal(readFileSync(file, 'utf8'), configuration());
  assert.deepEqual(readdirSync(backups), []);
  assert.equal((await run('mcp', 'import', '--undo')).code, 3);
});

test('moves a secret of a configuration to a credential, prints it nowhere, and restores the file exactly', async () => {
  const secret = 'sk-live-9876543210zyxw';
  const text = `{ "mcpServers": {
    "tracker": { "url": "https://tracker.service.example/mcp", "headers": { "X-Api-Key": "${secret}", "Accept": "application/json" } },
    "variable": { "url": "https://variable.service.example/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } },
    "several": { "url": "https://several.service.example/mcp", "headers": { "X-One": "${secret}1", "X-Two": "${secret}2" } }
  } }`;
  const file = write('moved/mcp.json', text);
  const options = ['--file', file, '--client', 'cursor', '--move-secrets'];
  const planned = await run('mcp', 'import', ...options, '--json');
  const actions = planned.json[0].servers.map(({ name, action }: { name: string; action: string }) => `${name} ${action}`);
  assert.deepEqual(actions, ['tracker REGISTER', 'variable LEAVE', 'several LEAVE']);
  assert.equal(readFileSync(file, 'utf8'), text);
  const applied = await run('mcp', 'import', ...options, '--apply', '--yes', ...agent);
  assert.equal(applied.code, 0, applied.stderr);
  for (const { stdout, stderr } of [planned, applied]) assert.ok(!`${stdout}${stderr}`.includes(secret));
  const rewritten = JSON.parse(readFileSync(file, 'utf8')).mcpServers;
  assert.ok(!JSON.stringify(rewritten.tracker).includes(secret));
  assert.deepEqual(rewritten.several, JSON.parse(text).mcpServers.several);
  const server = (await control('GET', '/v1/mcp/servers')).find(({ name }: { name: string }) => name === 'tracker');
  const credential = await control('GET', `/v1/credentials/${server.credential_id}`);
  assert.deepEqual(
    [credential.scheme, credential.placement, credential.destinations, credential.servers],
    ['HEADER', { header: 'X-Api-Key' }, ['tracker.service.example'], [server.slug]],
  );
  const again = await run('mcp', 'import', ...options, '--apply', '--yes', ...agent);
  assert.equal(again.code, 0, again.stderr);
  assert.equal((await run('mcp', 'import', '--file', file, '--undo')).code, 0);
  assert.equal(readFileSync(file, 'utf8'), text);
});

test('does not replace a file that was changed since, and follows a link', async () => {
  const target = write('dotfiles/mcp.json', configuration());
  const link = join(svc.folder, 'linked.json');
  symlinkSync(target, link);
  const options = ['--file', link, '--client', 'cursor'];
  assert.equal((await run('mcp', 'import', ...options, '--apply', '--yes', ...agent)).code, 0);
  assert.ok(lstatSync(link).isSymbolicLink());
  const changed = `${readFileSync(target, 'utf8')}\n`;
  writeFileSync(target, changed);
  const refused = await run('mcp', 'import', ...options, '--undo');
  assert.equal(refused.code, 7);
  assert.match(refused.stderr, /was changed since the import/);
  assert.equal(readFileSync(target, 'utf8'), changed);
});

test('a server of a rewritten configuration works through the gateway, in a client that starts it', async () => {
  const file = write('app/.mcp.json', configuration());
  const options = ['--file', file, '--client', 'claude-code'];
  assert.equal((await run('mcp', 'import', ...options, '--apply', '--yes', ...agent)).code, 0);
  const registered = await run('mcp', 'register', '--prefix', 'memory.', '--yes', ...agent.slice(0, 2), '--', process.execPath, MEMORY);
  assert.equal(registered.code, 0, registered.stderr);
  const { memory } = JSON.parse(readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/m, '')).mcpServers;
  const client = new Client({ name: 'client', version: '1' });
  await client.connect(new StdioClientTransport({ command: memory.command, args: memory.args, env: memory.env }));
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'read_graph'));
    const answered = await client.callTool({ name: 'read_graph', arguments: {} });
    assert.ok(!('isError' in answered) || answered.isError !== true, JSON.stringify(answered));
  } finally {
    await client.close();
  }
  const { data } = await control('GET', '/v1/actions?limit=1');
  assert.equal(`${data[0].tool} ${data[0].status}`, 'memory.read_graph COMPLETED');
});
