import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkAreasAgree } from './areas.ts';

const AREAS = ['tenancy', 'people', 'agents'];
const rows = { pauseAgent: { plane: 'control', area: 'agents' }, mintToken: { plane: 'gateway', area: 'agents' } } as const;
const rowFile = 'packages/contract/src/agents/lifecycle.ts';
const pauseFile = 'apps/control-plane/src/agents/agents/pause-agent.ts';
const inOrder = {
  [rowFile]: "export const lifecycleEndpoints = { pauseAgent: endpoint({ area: 'agents' }) };",
  'packages/contract/src/agents/identity/token.ts': 'export const tokenEndpoints = { mintToken: endpoint({}) } as const satisfies Rows;',
  'packages/contract/src/tables/areas.ts': '',
  [pauseFile]: '',
  'apps/gateway/src/agents/identity/mint-token.ts': '',
  'apps/control-plane/src/handlers.ts': '',
  'packages/postgres/src/agents/agents.ts': '',
  'packages/postgres/src/recorder/batches/batcher.ts': '',
  'packages/policy/src/values/address.ts': '',
};

const listFindings = (files: Readonly<Record<string, string>>) => checkAreasAgree(rows, AREAS)(buildTree(files));

const without = (path: string): Record<string, string> => Object.fromEntries(Object.entries(inOrder).filter(([each]) => each !== path));

test('rows, handlers and folders that use one word for an area are accepted', () => {
  assert.deepEqual(listFindings(inOrder), []);
});

test('a row is written in the folder of its area', () => {
  const moved = { ...without(rowFile), 'packages/contract/src/people/lifecycle.ts': inOrder[rowFile] };
  assert.deepEqual(listFindings(moved), [
    {
      path: 'packages/contract/src/people/lifecycle.ts',
      says: 'the row pauseAgent is of the area agents and belongs in packages/contract/src/agents/',
    },
  ]);
  assert.deepEqual(listFindings(without(rowFile)), [{ path: 'packages/contract/src/agents/<noun>.ts', says: 'holds no row pauseAgent' }]);
});

test('a handler is in the folder of its noun, within its area, and not elsewhere, above or below', () => {
  for (const path of ['people/agents/pause-agent.ts', 'agents/pause-agent.ts', 'agents/agents/lifecycle/pause-agent.ts'])
    assert.deepEqual(listFindings({ ...without(pauseFile), [`apps/control-plane/src/${path}`]: '' }), [
      { path: `apps/control-plane/src/${path}`, says: 'the operation pauseAgent belongs in apps/control-plane/src/agents/<noun>/' },
    ]);
});

test('a folder right below src is an area or one of the shared rooms', () => {
  for (const room of [
    'packages/contract',
    'packages/domain',
    'packages/operations',
    'packages/postgres',
    'apps/control-plane',
    'apps/gateway',
  ])
    assert.deepEqual(
      listFindings({ ...inOrder, [`${room}/src/exchange-rates/a.ts`]: '' }).map(({ path, says }) => [path, says]),
      [[`${room}/src/exchange-rates`, 'exchange-rates is no area; areas are tenancy, people, agents']],
    );
  assert.equal(listFindings({ ...inOrder, 'packages/domain/src/recorder/a.ts': '' }).length, 1);
});
