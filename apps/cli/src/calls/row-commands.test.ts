import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { openSvc, type Svc, type SvcOptions, type SvcRun } from '@svc/testing/processes/open-svc.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { deriveTable } from '../table/derive-table.ts';

const at = createScene({ steppedUp: true });
let svc: Svc;
before(() => {
  svc = openSvc();
});
after(() => svc.remove());

const env = (token = at.tenant.token) => ({ SVC_URL: at.planes.controlUrl, SVC_TOKEN: token });
const run = (args: readonly string[], options: SvcOptions = {}): Promise<SvcRun> =>
  svc.run(args, { ...options, env: { ...env(), ...options.env } });

test('creates, lists, reads and changes by name, with flags and with a body from standard input', async () => {
  const created = await run(['workspaces', 'create', '--name', 'From a script', '--json']);
  assert.equal(created.code, 0, created.stderr);
  const listed = await run(['workspaces', 'list', '--json']);
  assert.ok(listed.json.some(({ id }: { id: string }) => id === created.json.id));
  const environment = { workspace_id: created.json.id, name: 'Staging', type: 'STAGING' };
  const staged = await run(['env', 'create', '--body', '-', '--json'], { input: JSON.stringify(environment) });
  assert.equal(staged.json.name, 'Staging', staged.stderr);
  const agent = await run([
    'agents',
    'create',
    '--name',
    'clerk',
    '-w',
    'From a script',
    '-e',
    'Staging',
    '--capabilities',
    'pay,read',
    '--json',
  ]);
  assert.deepEqual(agent.json?.data.agent.capabilities, ['pay', 'read'], agent.stderr);
  const named = await run(['agents', 'get', 'clerk', '--field', 'id']);
  assert.equal(named.stdout.trim(), agent.json.data.agent.id);
  const fields = await run(['agents', 'list', '--json', '--fields', 'id,name']);
  assert.deepEqual(Object.keys(fields.json.items[0]), ['id', 'name']);
});

test('prompts for nothing without a terminal: names the missing flags and exits with 2', async () => {
  const missing = await run(['agents', 'create', '--name', 'x']);
  assert.deepEqual([missing.code, missing.stdout], [2, '']);
  assert.match(missing.stderr, /--workspace-id, --environment-id, --capabilities are required/);
  const agent = await newAgent(at.tenant);
  const unconfirmed = await run(['agents', 'pause', agent.id]);
  assert.deepEqual([unconfirmed.code, /Add --yes/.test(unconfirmed.stderr)], [2, true]);
  assert.equal((await run(['agents', 'get', agent.id, '--field', 'status'])).stdout, 'ACTIVE\n');
  assert.equal((await run(['agents', 'pause', agent.id, '--yes', '--json'])).json.status, 'PAUSED');
});

test('ends with the documented exit code of each refusal', async () => {
  const none = 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const codes = [
    await run(['agents', 'get', none]),
    await run(['agents', 'get', 'no-such-name']),
    await run(['agents', 'nosuch']),
    await run(['whoami'], { env: { SVC_TOKEN: 'svc_ses_x' } }),
    await run(['whoami'], { env: { SVC_URL: 'http://127.0.0.1:9' } }),
  ].map(({ code }) => code);
  assert.deepEqual(codes, [3, 3, 2, 4, 9]);
  const agent = await newAgent(at.tenant);
  await run(['agents', 'revoke', agent.id, '--yes', '--reason', 'gone']);
  const again = await run(['agents', 'pause', agent.id, '--yes', '--json']);
  assert.deepEqual([again.code, JSON.parse(again.stderr).error.code, again.stdout], [1, 'INVALID_STATE_TRANSITION', '']);
});

test('reports an error with code, request id, faults and the command that explains it', async () => {
  const invalid = await run(['workspaces', 'create', '--name', '']);
  assert.equal(invalid.code, 1);
  for (const part of [/VALIDATION_FAILED/, /\/name/, /request req_/, /svc explain VALIDATION_FAILED/]) assert.match(invalid.stderr, part);
  const explained = await run(['explain', 'VALIDATION_FAILED', '--json']);
  assert.equal(explained.json.status, 400);
  assert.match((await run(['explain', 'VALIDATION_FAILEX'])).stderr, /Did you mean VALIDATION_FAILED/);
});

test('suggests the command that was meant', async () => {
  assert.match((await run(['agnets'])).stderr, /Did you mean agents/);
  assert.match((await run(['agents', 'lst'])).stderr, /Did you mean list/);
  assert.match((await run(['agents', 'list', '--statos', 'ACTIVE'])).stderr, /Did you mean --status/);
  const json = await run(['agents', 'lst', '--json']);
  assert.equal(JSON.parse(json.stderr).error.code, 'USAGE');
});

test('refuses an API key where a person is needed, before anything is sent', async () => {
  const { json: roles } = await at.send('GET', '/v1/roles');
  const role = roles.find(({ name }: { name: string }) => /admin/i.test(name));
  const { json: key } = await at.send('POST', '/v1/api-keys', { name: 'ci', role_id: role.id });
  const agent = await newAgent(at.tenant);
  const refused = await run(['agents', 'revoke', agent.id, '--yes', '--reason', 'gone'], { env: { SVC_TOKEN: key.token } });
  assert.equal(refused.code, 5);
  assert.match(refused.stderr, /A person must run "svc agents revoke"/);
  const nowhere = await run(['agents', 'revoke', agent.id, '--yes', '--reason', 'gone'], {
    env: { SVC_TOKEN: key.token, SVC_URL: 'http://127.0.0.1:9' },
  });
  assert.equal(nowhere.code, 5, 'nothing was sent to an address where no one listens');
});

test('shows the call and the permission of a command without making it', async () => {
  const call = await run(['agents', 'pause', 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV', '--reason', "it's odd", '--show-call']);
  assert.match(call.stdout, /curl -sS -X POST/);
  assert.ok(!call.stdout.includes(at.tenant.token));
  const permission = await run(['agents', 'revoke', 'x', '--show-permission', '--json']);
  assert.deepEqual([permission.json.permissions, permission.json.step_up], [['agent:revoke'], 'always']);
});

test('follows pages with --all, and prints one document', async () => {
  for (let count = 0; count < 3; count += 1) await newAgent(at.tenant);
  const all = await run(['agents', 'list', '--all', '--limit', '1', '--json']);
  const { json } = await at.send('GET', '/v1/agents');
  assert.equal(all.json.length, json.total);
  const first = await run(['agents', 'list', '--limit', '1']);
  assert.match(first.stderr, /--all/);
  assert.equal(first.stdout.split('\n').filter((line) => line !== '').length, 1);
});

test('prints text without colour or control characters where no terminal reads it', async () => {
  const listed = await run(['agents', 'list']);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  assert.ok(!/[\u0000-\u0008\u000b-\u001f\u007f]/.test(listed.stdout.replaceAll('\n', '')));
});

test('prints parseable JSON for every command that lists or reads', async () => {
  const reads = deriveTable().filter(
    ({ method, wire, params, flags }) =>
      method === 'GET' && wire === 'json' && params.length === 0 && !flags.some(({ required }) => required),
  );
  assert.ok(reads.length > 30);
  const wrong: string[] = [];
  for (const { words } of sampleFew(reads, 15, 'commands that read')) {
    const { code, stdout, stderr } = await run([...words, '--json']);
    const isParsed =
      stdout === '' ? code !== 0 && JSON.parse(stderr.split('\n')[0] ?? '').error !== undefined : JSON.parse(stdout) !== undefined;
    if (!isParsed || (stdout === '') === (code === 0)) wrong.push(`${words.join(' ')}: ${code} ${stderr}`);
  }
  assert.deepEqual(wrong, []);
});

test('makes any request with svc api, to the plane only', async () => {
  assert.equal((await run(['api', 'GET', '/v1/agents', '--query', 'limit=1'])).json.items.length, 1);
  assert.equal((await run(['api', 'GET', '//example.com/v1/agents'])).code, 2);
  const file = join(svc.folder, 'body.json');
  writeFileSync(file, '{"name":"By api"}');
  assert.equal((await run(['api', 'post', '/v1/workspaces', '--body', file])).json.name, 'By api');
});

test('writes completion scripts and opens pages by id', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'pwsh']) assert.match((await run(['completion', shell])).stdout, /agents/);
  assert.equal(
    (await run(['open', 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV'])).stdout.trim(),
    `${at.planes.controlUrl}/actions/act_01ARZ3NDEKTSV4RRFFQ69G5FAV`,
  );
});
