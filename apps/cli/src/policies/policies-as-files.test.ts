import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { openSvc, type Svc, type SvcOptions, type SvcRun } from '@svc/testing/processes/open-svc.ts';

const RULES = [
  { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lte', value: 50_000 }, reason: 'Small ones are permitted.' },
  { id: 'large', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 50_000 }, reason: 'A person looks at it.' },
];
const TESTS = [{ name: 'a small one', given: { amount: 40_000 }, then: { effect: 'ALLOW' } }];

let planes: Planes;
let at: Governed;
let svc: Svc;
before(async () => {
  planes = await leasePlanes();
  at = await newGoverned(planes, { rules: RULES, tests: TESTS });
  svc = openSvc({ SVC_URL: planes.controlUrl, SVC_TOKEN: at.tenant.token });
});
after(async () => {
  svc?.remove();
  await planes?.stop();
});
const run = (args: readonly string[], options?: SvcOptions): Promise<SvcRun> => svc.run(args, options);
const file = (): string => join(svc.folder, 'policies', readdirSync(join(svc.folder, 'policies'))[0] ?? '');
const change = (from: string, to: string): void => writeFileSync(file(), readFileSync(file(), 'utf8').replaceAll(from, to));

test('pulls policies into files, which then have no changes', async () => {
  const pulled = await run(['policies', 'pull', '--json']);
  assert.equal(pulled.json?.length, 1, pulled.stderr);
  const content = JSON.parse(readFileSync(file(), 'utf8'));
  assert.deepEqual([content.id, content.rules, content.tests], [at.policyId, RULES, TESTS]);
  const plan = await run(['policies', 'plan', '--detailed-exitcode']);
  assert.deepEqual([plan.code, /1 unchanged/.test(plan.stdout)], [0, true], plan.stderr);
});

test('plans a change with its tests, and with the recorded actions that would be decided otherwise', async () => {
  await at.act({ amount: 45_000, currency: 'USD' });
  change('50000', '42000');
  const plan = await run(['policies', 'plan', '--detailed-exitcode', '--json']);
  assert.equal(plan.code, 10, plan.stderr);
  const [step] = plan.json.changes;
  assert.deepEqual([step.change, step.rules.changed, step.check.tests.failed], ['draft', ['small', 'large'], 0]);
  assert.equal(step.check.replay.actions.newly_held, 1);
  assert.match((await run(['policies', 'plan'])).stdout, /1 newly held/);
  assert.match((await run(['policies', 'plan', '--markdown'])).stdout, /^### svc policies plan/);
});

test('a failing test keeps a change from being applied, and is in the JUnit file', async () => {
  const before = readFileSync(file(), 'utf8');
  change('42000', '39000');
  const junit = join(svc.folder, 'results.xml');
  const plan = await run(['policies', 'plan', '--junit', junit]);
  assert.deepEqual([plan.code, /1 FAIL/.test(plan.stdout)], [11, true], plan.stdout);
  assert.match(readFileSync(junit, 'utf8'), /failures="1"[\s\S]*<failure/);
  const applied = await run(['policies', 'apply', '--yes', '--reason', 'no']);
  assert.equal(applied.code, 11);
  assert.equal((await at.owner('GET', `/v1/policies/${at.policyId}`)).json.versions.length, 1);
  writeFileSync(file(), before);
});

test('reports the pointer of each fault of an invalid file', async () => {
  const before = readFileSync(file(), 'utf8');
  change('REQUIRE_APPROVAL', 'PERHAPS');
  const checked = await run(['policies', 'check', file()]);
  assert.deepEqual([checked.code, /\/rules\/1\/effect/.test(checked.stdout)], [11, true], checked.stdout);
  writeFileSync(file(), before);
});

test('an API key saves a draft for review and exits with 6', async () => {
  const { json: roles } = await at.owner('GET', '/v1/roles');
  const role = roles.find(({ name }: { name: string }) => /admin/i.test(name));
  const { json: key } = await at.owner('POST', '/v1/api-keys', { name: 'ci', role_id: role.id });
  const applied = await run(['policies', 'apply', '--yes', '--json'], { env: { SVC_TOKEN: key.token } });
  assert.equal(applied.code, 6, applied.stderr);
  assert.deepEqual(
    applied.json?.map(({ active }: { active: boolean }) => active),
    [false],
  );
  const { json } = await at.owner('GET', `/v1/policies/${at.policyId}`);
  assert.deepEqual([json.versions.length, json.active_version.version_number], [2, 1]);
});

test('a person activates what is saved, and creates new policies from files', async () => {
  const applied = await run(['policies', 'apply', '--yes', '--reason', 'Lower the limit.', '--json']);
  assert.deepEqual(
    applied.json?.map(({ active }: { active: boolean }) => active),
    [true],
    applied.stderr,
  );
  const rules = [{ id: 'exports', effect: 'BLOCK', when: { field: 'tool.name', op: 'eq', value: 'export.all' }, reason: 'No exports.' }];
  const tests = [{ name: 'exports', given: { 'tool.name': 'export.all' }, then: { effect: 'BLOCK' } }];
  const path = join(svc.folder, 'policies', 'zz-exports.policy.json');
  writeFileSync(path, JSON.stringify({ name: 'Exports', rules, tests }));
  const created = await run(['policies', 'apply', '--yes', '--reason', 'No exports.', '--json', '--accept-warnings']);
  assert.equal(created.code, 0, created.stderr);
  assert.match(JSON.parse(readFileSync(path, 'utf8')).id, /^pol_/);
  assert.equal((await run(['policies', 'plan', '--detailed-exitcode'])).code, 0);
});

test('suspends a policy that has no file with --prune alone, by a person, and never all policies of an empty folder', async () => {
  const path = join(svc.folder, 'policies', 'zz-exports.policy.json');
  const content = readFileSync(path, 'utf8');
  const { id } = JSON.parse(content);
  const readActive = async () => (await at.owner('GET', `/v1/policies/${id}`)).json.active_version;
  rmSync(path);
  assert.match((await run(['policies', 'plan', '--prune'])).stdout, /- Exports {2}suspended, has no file[\s\S]*1 to suspend/);
  assert.equal((await run(['policies', 'plan', '--prune', '--detailed-exitcode'])).code, 10);
  assert.equal((await run(['policies', 'apply', '--yes', '--reason', 'no prune'])).code, 0);
  assert.notEqual(await readActive(), null);
  const unanswered = await run(['policies', 'apply', '--prune', '--reason', 'no answer']);
  assert.equal(unanswered.code, 2, unanswered.stderr);
  mkdirSync(join(svc.folder, 'empty'));
  const empty = await run(['policies', 'apply', 'empty', '--prune', '--yes', '--reason', 'no file']);
  assert.equal(empty.code, 2, empty.stderr);
  assert.notEqual(await readActive(), null);
  const pruned = await run(['policies', 'apply', '--prune', '--yes', '--reason', 'No exports any more.', '--accept-warnings']);
  assert.equal(pruned.code, 0, pruned.stderr);
  assert.equal(await readActive(), null);
  writeFileSync(path, content);
});

test('runs the tests of a policy by name, and of a folder', async () => {
  const named = await run(['policies', 'test', 'base', '--json']);
  assert.deepEqual([named.code, named.json?.failed], [0, 0], named.stderr);
  assert.equal((await run(['policies', 'test'])).code, 0);
});

const readPolicy = async () => (await at.owner('GET', `/v1/policies/${at.policyId}`)).json;
const policyFile = (): string => {
  const folder = join(svc.folder, 'policies');
  const name = readdirSync(folder).find((each) => JSON.parse(readFileSync(join(folder, each), 'utf8')).id === at.policyId);
  return join(folder, name ?? '');
};

test('applying a folder again, and pulling and applying it, changes nothing', async () => {
  assert.equal((await run(['policies', 'apply', '--yes', '--reason', 'first', '--accept-warnings'])).code, 0);
  const before = await at.owner('GET', '/v1/policies?limit=100');
  const events = async () => (await at.owner('GET', '/v1/audit-events?limit=1')).json.data[0].id;
  const last = await events();
  for (const pulls of [false, true]) {
    if (pulls) assert.equal((await run(['policies', 'pull'])).code, 0);
    const applied = await run(['policies', 'apply', '--yes', '--reason', 'again', '--json']);
    assert.deepEqual([applied.code, applied.json], [0, []], applied.stderr);
  }
  assert.deepEqual((await at.owner('GET', '/v1/policies?limit=100')).json, before.json);
  assert.equal(await events(), last);
});

test('a plan that another person, or a change of a file, overtook is refused with a sentence, and nothing is written', async () => {
  const path = policyFile();
  const content = JSON.parse(readFileSync(path, 'utf8'));
  const rules = content.rules.map((rule: { id: string }) => (rule.id === 'large' ? { ...rule, reason: 'Someone looks at it.' } : rule));
  writeFileSync(path, JSON.stringify({ ...content, rules }));
  const plan = join(svc.folder, 'plan.json');
  assert.equal((await run(['policies', 'plan', '--out', plan])).code, 0);
  const apply = (saved = plan) => run(['policies', 'apply', '--plan', saved, '--yes', '--reason', 'planned', '--json']);
  const theirs = content.rules.map((rule: { id: string }) => (rule.id === 'large' ? { ...rule, reason: 'Ada looks at it.' } : rule));
  const edited = await at.owner('PATCH', `/v1/policies/${at.policyId}`, { name: content.name, rules: theirs, tests: content.tests });
  assert.equal(edited.status, 200, edited.text);
  const before = await readPolicy();
  const refused = await apply();
  assert.equal(refused.code, 7, refused.stderr);
  assert.match(refused.stderr, /was changed since the plan: version \d+, \d+ active, planned on version \d+/);
  assert.deepEqual(await readPolicy(), before);
  assert.equal((await run(['policies', 'plan', '--out', plan])).code, 0);
  writeFileSync(path, JSON.stringify({ ...content, rules: [...rules].reverse() }));
  const changed = await apply();
  assert.deepEqual([changed.code, /file of .* was changed since the plan/.test(changed.stderr)], [7, true], changed.stderr);
  writeFileSync(path, JSON.stringify({ ...content, rules }));
  const foreign = join(svc.folder, 'foreign.json');
  writeFileSync(foreign, '{"format": 1}');
  assert.equal((await apply(foreign)).code, 2);
  const applied = await apply();
  assert.equal(applied.code, 0, applied.stderr);
  const { active_version, versions } = await readPolicy();
  const active = versions.find(({ version_number }: { version_number: number }) => version_number === active_version.version_number);
  assert.equal(active.rules.find(({ id }: { id: string }) => id === 'large').reason, 'Someone looks at it.');
  const twice = await apply();
  assert.equal(twice.code, 7, 'a plan is used once');
});
