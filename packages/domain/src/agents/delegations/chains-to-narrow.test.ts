import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainsToNarrow, type Held } from './chains-to-narrow.ts';
import type { Chain, Link } from './delegation.ts';
import { isOwnGrants } from './own-grants.ts';

const now = new Date('2026-05-01T00:00:00.000Z');

const linkOf = (id: string, more: Partial<Link> = {}): Link => ({
  id,
  parent_id: null,
  delegator: { type: 'USER', id: 'usr_1' },
  delegate_agent_id: 'agt_1',
  scope: { capabilities: null, tools: null, environments: null, destinations: null },
  ceiling: { max_amount: null, currency: null, max_calls: null, window_seconds: null },
  expires_at: null,
  can_redelegate: true,
  max_depth: 3,
  status: 'ACTIVE',
  delegate: { status: 'ACTIVE', capabilities: [] },
  ...more,
});

const heldWith = (...chains: Chain[]): Held => ({
  agentId: 'agt_1',
  status: 'ACTIVE',
  capabilities: ['payments.refund'],
  chains: new Map(chains.map((chain) => [(chain.at(-1) as Link).id, chain])),
});

const idsOf = (held: Held, parentId: string | null): unknown => {
  const chains = chainsToNarrow(held, parentId, now);
  return 'fault' in chains ? chains : chains.map((chain) => chain.map(({ id }) => id));
};

const upper = linkOf('dlg_0', { delegate_agent_id: 'agt_0' });
const below = linkOf('dlg_2', { parent_id: 'dlg_0', delegator: { type: 'AGENT', id: 'agt_0' } });

test('a parent that is named is the only one, also when it does not hold', () => {
  const held = heldWith([linkOf('dlg_1', { status: 'REVOKED' })], [upper, below]);
  assert.deepEqual(idsOf(held, 'dlg_1'), [['dlg_1']]);
  assert.deepEqual(idsOf(held, 'dlg_2'), [['dlg_0', 'dlg_2']]);
});

test('a parent that the agent has not, or whose chain is broken, is told as what breaks', () => {
  assert.deepEqual(idsOf(heldWith(), 'dlg_9'), { fault: 'ended long ago', delegation_id: 'dlg_9' });
  const broken = { fault: 'does not exist', delegation_id: 'dlg_0' };
  assert.deepEqual(idsOf({ ...heldWith(), chains: new Map([['dlg_2', broken]]) }, 'dlg_2'), broken);
});

test('without a parent it is what people made out to the agent and still holds, and never what an agent handed it', () => {
  const over = linkOf('dlg_3', { expires_at: now.toISOString() });
  assert.deepEqual(idsOf(heldWith([linkOf('dlg_1')], [upper, below], [over]), null), [['dlg_1']]);
});

test('where nothing of the kind holds it is what the agent was granted itself', () => {
  const chains = chainsToNarrow(heldWith([linkOf('dlg_1', { status: 'REVOKED' })], [upper, below]), null, now);
  assert.ok(!('fault' in chains));
  assert.deepEqual(
    chains.map((chain) => [isOwnGrants(chain[0]), chain[0].delegate.capabilities]),
    [[true, ['payments.refund']]],
  );
});
