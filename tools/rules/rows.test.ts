import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { type CheckedRow, checkRowsAreDistinct, checkRowsHaveHandlers, getOperationsStandAlone } from './rows.ts';

const createAgent: CheckedRow = { plane: 'control', area: 'agents', method: 'POST', path: '/v1/agents', refuses: ['ALREADY_EXISTS'] };
const handlerPath = 'apps/control-plane/src/agents/agents/create-agent.ts';
const testPath = 'apps/control-plane/src/agents/agents/create-agent.test.ts';
const handler = "export const createAgent = () => refuse('ALREADY_EXISTS');";
const proof = "test('x', () => {});";

const says = (files: Record<string, string>, row: CheckedRow = createAgent): string[] =>
  checkRowsHaveHandlers({ createAgent: row })(buildTree(files)).map((finding) => finding.says);

test('a row with its handler and its test is complete', () => {
  assert.deepEqual(says({ [handlerPath]: handler, [testPath]: proof }), []);
});

test('a test of the worker in the same area proves a row of the control plane', () => {
  const inWorker = (area: string) => ({ [`apps/worker/src/${area}/agents/agents.test.ts`]: "test('createAgent', () => {});" });
  assert.deepEqual(says({ [handlerPath]: handler, ...inWorker('agents') }), []);
  assert.match(says({ [handlerPath]: handler, ...inWorker('people') })[0] ?? '', /proves createAgent/);
});

test('a row without a handler is reported, with the expected file', () => {
  assert.match(
    says({})[0] ?? '',
    /POST \/v1\/agents \(createAgent\) has no handler apps\/control-plane\/src\/agents\/<noun>\/create-agent\.ts/,
  );
});

test('a handler in the other plane does not count', () => {
  assert.match(says({ 'apps/gateway/src/agents/agents/create-agent.ts': handler })[0] ?? '', /has no handler/);
});

test('a handler is in a noun of the area of its row', () => {
  for (const place of ['agents', 'people/agents', 'agents/agents/keys']) {
    assert.match(
      says({ [`apps/control-plane/src/${place}/create-agent.ts`]: handler, [testPath]: proof })[0] ?? '',
      /has no handler/,
      place,
    );
  }
});

test('a handler exists once, and has the name of its row', () => {
  const twice = says({ [handlerPath]: handler, [testPath]: proof, 'apps/control-plane/src/agents/people/create-agent.ts': handler });
  assert.match(twice[0] ?? '', /more than one handler/);
  assert.deepEqual(says({ [handlerPath]: 'export const makeAgent = 1;', [testPath]: proof }), ['does not export createAgent']);
});

const unproven = 'no test beside it, and no call or title of a test in apps/control-plane/src/agents/, proves createAgent';

test('a handler without a test is reported', () => {
  assert.deepEqual(says({ [handlerPath]: handler }), [unproven]);
});

test('a test of the same area that calls the operation or has it in its title is a proof', () => {
  const path = 'apps/control-plane/src/agents/agents/lifecycle.test.ts';
  for (const text of [
    "test('createAgent', () => {});",
    "describe('what createAgent does', () => {});",
    'test(`createAgent of one`, () => {});',
    'await createAgent({});',
    'await agents.createAgent({});',
  ])
    assert.deepEqual(says({ [handlerPath]: handler, [path]: text }), [], text);
  assert.deepEqual(says({ [handlerPath]: handler, 'apps/control-plane/src/agents/all.test.ts': 'createAgent();' }), []);
});

test('a comment, a word among others, a longer name and a test of another area are no proof', () => {
  const path = 'apps/control-plane/src/agents/agents/lifecycle.test.ts';
  for (const text of [
    '/** createAgent of one tenant. */',
    "test('x', () => {}); // createAgent()",
    "test('createAgentKey', () => {});",
    "const names = ['createAgent'];",
    'const made = createAgent;',
  ])
    assert.deepEqual(says({ [handlerPath]: handler, [path]: text }), [unproven], text);
  assert.deepEqual(says({ [handlerPath]: handler, 'apps/control-plane/src/tools/tools/a.test.ts': 'createAgent();' }), [unproven]);
});

test('a file that is no operation is not in a folder of operations', () => {
  const findMisplaced = (path: string): string[] =>
    getOperationsStandAlone({ createAgent })(buildTree({ [handlerPath]: handler, [testPath]: proof, [path]: '' })).map(
      (finding) => finding.path,
    );
  assert.deepEqual(findMisplaced('apps/control-plane/src/agents/agents/read-key.ts'), ['apps/control-plane/src/agents/agents/read-key.ts']);
  for (const path of ['agents/agents/keys/read-key.ts', 'agents/agents/read-key.test.ts', 'agents/handlers.ts', 'agents/keys/read-key.ts'])
    assert.deepEqual(findMisplaced(`apps/control-plane/src/${path}`), [], path);
});

test('a code that a row declares and nothing uses is reported', () => {
  const findings = says({ [handlerPath]: 'export const createAgent = 1;', [testPath]: proof });
  assert.deepEqual(findings, ['the row createAgent refuses ALREADY_EXISTS, but nothing here does']);
});

test('code that a handler runs or receives counts as its own, across packages, except the contract and the wiring of its app', () => {
  const files = {
    [testPath]: proof,
    [handlerPath]: "import { insert } from '@svc/postgres/agents/agents/agents.ts';\nexport const createAgent = insert;",
    'packages/postgres/src/agents/agents/agents.ts': "import { rule } from './rule.ts';\nexport const insert = () => rule;",
    'packages/postgres/src/agents/agents/rule.ts': "export const rule = { ALREADY_EXISTS: 'agents_name_key' };",
  };
  assert.deepEqual(says(files), []);
  const contract = { 'packages/contract/src/tables/events.ts': "export const a = ['ALREADY_EXISTS'];" };
  const importing = "import { a } from '@svc/contract/tables/events.ts';\nexport const createAgent = a;";
  assert.equal(says({ ...contract, [testPath]: proof, [handlerPath]: importing }).length, 1);
  const handed = { ...files, [handlerPath]: files[handlerPath].replace('import {', 'import type {') };
  assert.deepEqual(says(handed), []);
  const wiring = { 'apps/control-plane/src/deps.ts': "import { insert } from '@svc/postgres/agents/agents/agents.ts';" };
  const wired = "import type { Deps } from '../deps.ts';\nexport const createAgent = 1;";
  assert.equal(says({ ...files, ...wiring, [handlerPath]: wired }).length, 1);
});

test('a fault at a place of the body is a failed validation', () => {
  const row: CheckedRow = { ...createAgent, refuses: ['VALIDATION_FAILED'] };
  assert.deepEqual(
    says({ [handlerPath]: "export const createAgent = (call) => call.fault('/name', 'Too long.');", [testPath]: proof }, row),
    [],
  );
});

test('two rows cannot answer the same request, with any parameter names', () => {
  const rows = {
    readAgent: { ...createAgent, path: '/v1/agents/{id}' },
    getAgent: { ...createAgent, path: '/v1/agents/{agentId}' },
    createAgent,
  };
  const findings = checkRowsAreDistinct(rows)(buildTree({}));
  assert.deepEqual(
    findings.map((finding) => finding.says),
    ['getAgent and readAgent both answer POST /v1/agents/{agentId}'],
  );
});

test('a handler performs the checks that its row delegates to it', () => {
  const files = (text: string) => ({ [handlerPath]: text, [testPath]: proof });
  const done = "export const createAgent = () => govern(spendToken('ALREADY_EXISTS'));";
  const pipeline = { ...createAgent, sessionCheckedBy: 'pipeline' };
  const assertion = { ...createAgent, budget: 'assertion' };
  for (const row of [pipeline, assertion]) assert.deepEqual(says(files(done), row), []);
  assert.deepEqual(says(files(handler), pipeline), [
    "the row createAgent says sessionCheckedBy: 'pipeline', but nothing here calls govern",
  ]);
  assert.deepEqual(says(files(handler), assertion), ["the row createAgent says budget: 'assertion', but nothing here calls spendToken"]);
});
