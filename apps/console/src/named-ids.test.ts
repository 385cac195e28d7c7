import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNames, offered, resolveIds } from '../web/data/names/named-ids.ts';

const [BOT, TOOL, OTHER] = ['agt_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'tool_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAW'];
const KNOWN = [
  { id: BOT, name: 'refund-bot' },
  { id: TOOL, name: 'refund.create' },
  { id: OTHER, name: 'Twice (old)' },
  { id: `${OTHER.slice(0, -1)}X`, name: 'twice (old)' },
];

test('resolves a choice, a name or an id to one id; an ambiguous name gives both and an unknown one none', () => {
  for (const entered of [BOT, ` ${BOT} `, 'refund-bot', 'Refund-Bot', offered(KNOWN[0] ?? { id: '', name: '' })])
    assert.deepEqual(resolveIds(entered, KNOWN), [BOT], entered);
  assert.deepEqual(resolveIds('twice (old)', KNOWN).length, 2);
  assert.deepEqual(resolveIds('nobody', KNOWN), []);
  assert.deepEqual(resolveIds('agt_01ARZ3NDEKTSV4RRFFQ69G5FAZ', KNOWN), ['agt_01ARZ3NDEKTSV4RRFFQ69G5FAZ']);
});

test('lists the names of ids in a text once each, and omits unknown ids', () => {
  const text = JSON.stringify({ tool: TOOL, agents: [BOT, BOT, 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAZ'] });
  assert.deepEqual(
    getNames(text, KNOWN).map(({ name }) => name),
    ['refund.create', 'refund-bot'],
  );
});
