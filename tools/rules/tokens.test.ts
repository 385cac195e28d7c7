import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkTokensInTheirRooms } from './tokens.ts';

const says = (path: string, text: string): string[] => checkTokensInTheirRooms(buildTree({ [path]: text })).map((finding) => finding.says);
const isRefused = (path: string, text: string): boolean => says(path, text).length === 1;

const statements = [
  "export const a = 'select id from agents where id = $1';",
  'export const a = `\n  insert into agents (id) values ($1)`;',
  "export const a = 'SELECT id FROM agents';",
  "export const a = 'update agents set status = $1';",
  "export const a = 'delete from agents';",
  "export const a = 'with due as (select 1) select * from due';",
  ['export const a = (name: string) => `create table $', '{name} (id text)`;'].join(''),
];

test('SQL outside its room is found, in each of its forms', () => {
  for (const text of statements) {
    assert.ok(isRefused('packages/http/src/a.ts', text), text);
    assert.ok(isRefused('apps/gateway/src/actions/actions/act.ts', text), text);
    assert.deepEqual(says('packages/postgres/src/a.ts', text), [], text);
  }
});

test('built statements, and the library that builds them, stay with the SQL', () => {
  const built = [
    "export const a = (tx) => tx.selectFrom('agents').selectAll().execute();",
    "export const a = (tx) => tx.updateTable('agents').set({}).execute();",
    'export const a = (tx) => sql`now()`.execute(tx);',
    "import { sql } from 'kysely';",
  ];
  for (const text of built) {
    for (const path of ['packages/operations/src/a.ts', 'packages/http/src/a.ts', 'apps/control-plane/src/a.ts'])
      assert.ok(isRefused(path, text), `${path}: ${text}`);
    assert.deepEqual(says('packages/postgres/src/a.ts', text), [], text);
  }
});

test('HTTP is used by the planes and their server alone, types included', () => {
  const text = "import type { FastifyRequest } from 'fastify';";
  for (const room of ['operations', 'postgres', 'program', 'enforcement']) assert.ok(isRefused(`packages/${room}/src/a.ts`, text), room);
  for (const path of ['packages/http/src/plane/serve.ts', 'apps/control-plane/src/people/setup/setup-page.ts'])
    assert.deepEqual(says(path, text), [], path);
});

test('SQL packages do not refuse or emit events: their callers do', () => {
  const planned = [
    "export const a = () => refusal('NOT_FOUND');",
    "export const a = ({ emit }) => emit('agent.paused', {});",
    "export const a = (change) => change.emit('agent.paused', {});",
    'export const a = (refused) => keep(refused);',
    "export const a = () => undo('later');",
  ];
  for (const text of planned) {
    for (const path of ['packages/postgres/src/agents/agents/a.ts', 'packages/postgres/src/change/change.ts'])
      assert.ok(isRefused(path, text), `${path}: ${text}`);
    for (const path of ['packages/operations/src/agents/agents/a.ts', 'apps/control-plane/src/a.ts', 'packages/domain/src/a.ts'])
      assert.deepEqual(
        says(path, text).filter((each) => !each.startsWith('emits events')),
        [],
        `${path}: ${text}`,
      );
  }
  assert.deepEqual(says('packages/postgres/src/a.ts', 'export const a = (value) => isRefusal(value) || kept.keep(value);'), []);
});

test('events are emitted by use cases alone, with any structure of the change', () => {
  const emitting = [
    "export const a = ({ emit }) => emit('agent.paused', {});",
    "export const a = (change) => change.emit('agent.paused', {});",
  ];
  const passing = 'export const a = async ({ tx, emit }) => tell(tx, emit);';
  for (const text of [...emitting, passing]) {
    for (const path of ['apps/control-plane/src/agents/agents/a.ts', 'apps/worker/src/feed/a.ts', 'packages/http/src/calls/a.ts'])
      assert.ok(
        says(path, text).some((each) => each.startsWith('emits events')),
        `${path}: ${text}`,
      );
    assert.deepEqual(says('packages/operations/src/agents/agents/a.ts', text), []);
  }
  assert.deepEqual(says('packages/http/src/connections/a.ts', "export const a = (server) => server.emit('connection', 1);"), []);
});

test('audit events are written in one room and nowhere else', () => {
  const writes = [
    "export const a = (tx) => tx.insertInto('audit_events');",
    'export const a = `with a as (\n insert into audit_events (id) select 1)`;',
  ];
  for (const text of writes) {
    assert.ok(isRefused('packages/postgres/src/recorder/a.ts', text), text);
    assert.deepEqual(says('packages/postgres/src/audit/a.ts', text), [], text);
  }
  assert.deepEqual(says('packages/postgres/src/a.ts', "export const a = (tx) => tx.selectFrom('audit_events');"), []);
});

test('a sentence for people is not mistaken for SQL', () => {
  for (const text of ['Select a tool from the list.', 'Delete the agent.', 'update', 'Update the policy, then set it in force.']) {
    assert.deepEqual(says('packages/http/src/a.ts', `export const a = '${text}';`), [], text);
  }
});

test('the environment is read only where settings are read', () => {
  const reads = ['export const a = process.env.HOST;', 'const { env } = process;', "import { env } from 'node:process';"];
  for (const text of reads) {
    assert.ok(isRefused('apps/gateway/src/actions/actions/act.ts', text), text);
    assert.ok(isRefused('packages/http/src/plane/serve.ts', text), text);
    for (const file of ['config', 'settings', 'main']) assert.deepEqual(says(`apps/gateway/src/${file}.ts`, text), []);
  }
  assert.deepEqual(says('apps/gateway/src/main.ts', 'process.exit(1);'), []);
});

test('cryptography stays with the keyring and the client', () => {
  for (const text of ["import { createHash } from 'node:crypto';", 'export const a = crypto.randomUUID();']) {
    assert.ok(isRefused('packages/http/src/a.ts', text), text);
    assert.ok(isRefused('apps/gateway/src/a.ts', text), text);
    for (const room of ['keyring', 'sdk']) assert.deepEqual(says(`packages/${room}/src/a.ts`, text), []);
  }
  assert.deepEqual(says('packages/http/src/a.ts', "import type { KeyObject } from 'node:crypto';"), []);
});

test('an unexpected error is never turned into a response', () => {
  const swallowing = [
    'try { a(); } catch { b(); }',
    'export const a = (b: Promise<number>) => b.catch(() => 0);',
    'try { a(); } catch (error) { if (isGone(error)) b(); }',
  ];
  for (const text of swallowing) {
    assert.ok(isRefused('packages/postgres/src/a.ts', text), text);
    assert.ok(isRefused('apps/gateway/src/a.ts', text), text);
    assert.deepEqual(says('packages/enforcement/src/ports/fail-closed.ts', text), [], text);
    assert.deepEqual(says('packages/http/src/answers/error-to-wire.ts', text), [], text);
  }
});

test('a catch that rethrows unexpected errors handles the expected ones', () => {
  const narrow = [
    'try { a(); } catch (error) { if (!isGone(error)) throw error; }',
    'export const a = (b: Promise<number>) => b.catch((error) => { if (isGone(error)) return 0; throw error; });',
    'try { a(); } finally { b(); }',
  ];
  for (const text of narrow) assert.deepEqual(says('packages/postgres/src/a.ts', text), [], text);
});

test('a throw outside the catch does not make it narrow', () => {
  assert.ok(isRefused('packages/postgres/src/a.ts', 'try { throw a(); } catch { b(); } throw c();'));
});

test('an allowance that is no longer needed is reported', () => {
  assert.match(says('packages/http/src/answers/error-to-wire.ts', 'export const a = 1;')[0] ?? '', /no longer needs its allowance/);
});

test('tests, tools and the fixture are exempt', () => {
  const text = "try { a('select 1 from b', process.env.HOST); } catch { b(); }";
  for (const path of ['packages/http/src/a.test.ts', 'tools/a.ts', 'e2e/a.test.ts', 'packages/testing/src/a.ts'])
    assert.deepEqual(says(path, text), []);
});

test('a path is joined to a server by its row alone', () => {
  for (const text of ["app.get('/setup', () => {});", "app.route({ url: '/' });", "app.post('/a', b);"]) {
    assert.ok(isRefused('apps/control-plane/src/people/setup/a.ts', text), text);
    assert.ok(isRefused('packages/http/src/documents/a.ts', text), text);
    assert.deepEqual(says('packages/http/src/plane/bind.ts', text), [], text);
  }
});
