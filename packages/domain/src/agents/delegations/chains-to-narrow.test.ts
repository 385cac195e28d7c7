import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainsToNarrow, type DelegableAuthority } from './chains-to-narrow.ts';
import type { Chain, DelegationLink } from './delegation.ts';
import { isOwnGrants } from './own-grants.ts';

const now = new Date('2026-05-01T00:00:00.000Z');

const getLink = (id: string, more: Partial<DelegationLink> = {}): DelegationLink => ({
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

const heldWith = (...chains: Chain[]): DelegableAuthority => ({
  agentId: 'agt_1',
  status: 'ACTIVE',
  capabilities: ['payments.refund'],
  chains: new Map(chains.map((chain) => [(chain.at(-1) as DelegationLink).id, chain])),
});

const getIds = (held: DelegableAuthority, parentId: string | null): unknown => {
  const chains = chainsToNarrow(held, parentId, now);
  return 'fault' in chains ? chains : chains.map((chain) => chain.map(({ id }) => id));
};

const upper = getLink('dlg_0', { delegate_agent_id: 'agt_0' });
const below = getLink('dlg_2', { parent_id: 'dlg_0', delegator: { type: 'AGENT', id: 'agt_0' } });

test('uses a named parent only, even if it is not in force', () => {
  const held = heldWith([getLink('dlg_1', { status: 'REVOKED' })], [upper, below]);
  assert.deepEqual(getIds(held, 'dlg_1'), [['dlg_1']]);
  assert.deepEqual(getIds(held, 'dlg_2'), [['dlg_0', 'dlg_2']]);
});

test('reports a missing or broken parent by its fault', () => {
  assert.deepEqual(getIds(heldWith(), 'dlg_9'), { fault: 'ended long ago', delegation_id: 'dlg_9' });
  const broken = { fault: 'does not exist', delegation_id: 'dlg_0' };
  assert.deepEqual(getIds({ ...heldWith(), chains: new Map([['dlg_2', broken]]) }, 'dlg_2'), broken);
});

test('uses without a parent what people delegated to the agent, and never what an agent delegated to it', () => {
  const over = getLink('dlg_3', { expires_at: now.toISOString() });
  assert.deepEqual(getIds(heldWith([getLink('dlg_1')], [upper, below], [over]), null), [['dlg_1']]);
});

test("uses the agent's own grants if nothing else is in force", () => {
  const chains = chainsToNarrow(heldWith([getLink('dlg_1', { status: 'REVOKED' })], [upper, below]), null, now);
  assert.ok(!('fault' in chains));
  assert.deepEqual(
    chains.map((chain) => [isOwnGrants(chain[0]), chain[0].delegate.capabilities]),
    [[true, ['payments.refund']]],
  );
});
