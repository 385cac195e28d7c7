import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { getNounFiles, getNouns, type WhereRows } from './noun-files.ts';
import { buildTree } from './tree.ts';
import { getMeaning } from './where-word.ts';

const root = resolve(import.meta.dirname, '..');

const rows: WhereRows = {
  createDelegation: { plane: 'control', area: 'agents', path: '/v1/delegations' },
  delegate: { plane: 'gateway', area: 'agents', path: '/v1/delegations/{delegationId}/delegate' },
  createAgent: { plane: 'control', area: 'agents', path: '/v1/agents' },
  createTool: { plane: 'control', area: 'tools', path: '/v1/tools' },
};

const tree = buildTree({
  'packages/contract/src/agents/delegations/delegations.ts': 'export const delegationEndpoints = { createDelegation: endpoint({}) };',
  'packages/contract/src/agents/identity.ts': 'export const identityEndpoints = { delegate: endpoint({}) };',
  'packages/contract/src/agents/agents.ts': 'export const agentEndpoints = { createAgent: endpoint({}) };',
  'packages/contract/src/tools/tools.ts': 'export const toolEndpoints = { createTool: endpoint({}) };',
  'apps/control-plane/src/agents/delegations/create-delegation.ts': '',
  'apps/control-plane/src/agents/delegations/asking/asked-terms.ts': '',
  'apps/control-plane/src/agents/delegations/delegations.test.ts': '',
  'apps/gateway/src/agents/delegations/delegate.ts': '',
  'apps/control-plane/src/agents/agents/create-agent.ts': '',
  'apps/control-plane/src/tools/tools/create-tool.ts': '',
  'apps/worker/src/jobs/end-grants.ts': "import { due } from '@svc/postgres/agents/delegations/due.ts';",
  'apps/worker/src/jobs/renew-passports.ts': "import { renew } from '@svc/postgres/agents/agents.ts';",
  'packages/operations/src/agents/delegations/make-delegation.ts': '',
  'packages/domain/src/agents/delegations/reach.ts': '',
  'packages/domain/src/tools/schema/check-schema.ts': '',
  'packages/enforcement/src/stages/07-authority.ts': "import { reach } from '@svc/domain/agents/delegations/reach.ts';",
  'packages/enforcement/src/stages/09-currency.ts': '',
  'packages/postgres/src/agents/delegations/due.ts': "db.insertInto('grants_made')",
  'packages/postgres/src/agents/delegations-in-force.ts': '',
  'packages/postgres/src/agents/agents.ts': '',
  'packages/postgres/migrations/0001.sql': 'create table agents (id text, grant_id text references grants_made)',
  'packages/postgres/migrations/0002.sql': 'create index a on delegations (id);',
  'packages/postgres/migrations/0003.sql': 'ALTER TABLE ONLY grants_made add column b text;',
  'e2e/promises/a-delegation-ends.test.ts': '',
  'e2e/promises/agents.test.ts': '',
  'docs/guides/delegations.md': '',
  'docs/guides/hand-on.md': 'POST /v1/delegations',
  'docs/guides/other.md': 'POST /v1/delegations-of-mine and /v1/agents',
});

const listFiles = (noun: string): Record<string, readonly string[]> => {
  const one = getNouns(tree, rows).find((each) => each.noun === noun);
  assert.ok(one);
  return Object.fromEntries(getNounFiles(tree, one).flatMap(({ title, paths }) => (paths.length === 0 ? [] : [[title, paths]])));
};

test('a noun is the folder of its operations, in either plane', () => {
  assert.deepEqual(
    getNouns(tree, rows).map(({ noun, area, alone, rows: own }) => [noun, area, alone, Object.keys(own)]),
    [
      ['agents', 'agents', false, ['createAgent']],
      ['delegations', 'agents', false, ['createDelegation', 'delegate']],
      ['tools', 'tools', true, ['createTool']],
    ],
  );
});

test('the files of a noun are listed by room, in the order of the walk', () => {
  const found = listFiles('delegations');
  assert.deepEqual(Object.entries(found), [
    ['row', ['packages/contract/src/agents/delegations/delegations.ts', 'packages/contract/src/agents/identity.ts']],
    [
      'operations',
      [
        'apps/control-plane/src/agents/delegations/asking/asked-terms.ts',
        'apps/control-plane/src/agents/delegations/create-delegation.ts',
        'apps/gateway/src/agents/delegations/delegate.ts',
      ],
    ],
    ['use cases', ['packages/operations/src/agents/delegations/make-delegation.ts']],
    ['rules', ['packages/domain/src/agents/delegations/reach.ts']],
    ['stages', ['packages/enforcement/src/stages/07-authority.ts']],
    ['SQL', ['packages/postgres/src/agents/delegations-in-force.ts', 'packages/postgres/src/agents/delegations/due.ts']],
    ['migrations', ['packages/postgres/migrations/0002.sql', 'packages/postgres/migrations/0003.sql']],
    ['jobs', ['apps/worker/src/jobs/end-grants.ts']],
    ['tests', ['apps/control-plane/src/agents/delegations/delegations.test.ts', 'e2e/promises/a-delegation-ends.test.ts']],
    ['documents', ['docs/guides/delegations.md', 'docs/guides/hand-on.md']],
  ]);
});

test('a noun that has its area to itself has all files of the area', () => {
  assert.deepEqual(listFiles('tools').rules, ['packages/domain/src/tools/schema/check-schema.ts']);
  assert.equal(listFiles('agents').rules, undefined);
});

const where = (...words: readonly string[]) => spawnSync(process.execPath, ['tools/where.ts', ...words], { cwd: root, encoding: 'utf8' });

test('the command lists the files of this project, and each exists', () => {
  const { status, stdout } = where('delegations');
  const paths = stdout.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
  assert.equal(status, 0);
  for (const title of ['row', 'operations', 'rules', 'stages', 'SQL', 'migrations', 'jobs', 'tests', 'documents'])
    assert.match(stdout, new RegExp(`^${title}$`, 'm'), title);
  assert.deepEqual(
    paths.filter((path) => !existsSync(resolve(root, path))),
    [],
  );
});

test('a word is a noun in either number, an operation, an area, or a part of file names', () => {
  const house = { tree, nouns: getNouns(tree, rows), areas: ['agents', 'people', 'tools'] };
  const nounsFor = (word: string): readonly string[] => {
    const meaning = getMeaning(house, word);
    return meaning?.kind === 'nouns' ? meaning.nouns.map(({ noun }) => noun) : [];
  };
  for (const word of ['delegations', 'delegation', 'createDelegation', 'create-delegation'])
    assert.deepEqual(nounsFor(word), ['delegations']);
  assert.deepEqual(getMeaning(house, 'people'), { kind: 'area', nouns: [], folders: [] });
  assert.deepEqual(getMeaning(house, 'hand'), { kind: 'files', paths: ['docs/guides/hand-on.md'] });
  for (const word of ['han', 'constructor', 'frobs']) assert.equal(getMeaning(house, word), undefined, word);
});

test('the command answers for an area and for a word that is no API noun', () => {
  const people = where('people');
  assert.equal(people.status, 0);
  assert.match(people.stdout, /^people, an area\. Its nouns: .*invitations.*\n\nfolders\n[\s\S]* {2}packages\/contract\/src\/people\/\n/);
  assert.match(where('replay').stdout, /packages\/policy\/src\/replay\//);
});

test('an unknown word, and no word, list the existing nouns', () => {
  const wrong = where('frobs');
  assert.deepEqual([wrong.status, wrong.stdout], [1, '']);
  assert.match(wrong.stderr, /^There is no noun frobs\. There are .*delegations.*\.\n$/);
  assert.match(where().stderr, /^Name a noun\. There are /);
});
