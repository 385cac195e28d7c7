import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chain, DelegationLink } from './delegation.ts';
import { deriveAuthority, effectiveAuthority } from './effective-authority.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const OPEN = { capabilities: null, tools: null, environments: null, destinations: null };
const NO_CEILING = { max_amount: null, currency: null, max_calls: null, window_seconds: null };

const link = (id: string, more: Partial<DelegationLink> = {}): DelegationLink => ({
  id,
  parent_id: null,
  delegator: { type: 'USER', id: 'usr_1' },
  delegate_agent_id: `agt_of_${id}`,
  status: 'ACTIVE',
  scope: OPEN,
  ceiling: NO_CEILING,
  expires_at: null,
  can_redelegate: true,
  max_depth: 3,
  delegate: { status: 'ACTIVE', capabilities: ['a', 'b', 'c'] },
  ...more,
});

test('narrows grants link by link, and records what each link removed', () => {
  const ceiling = { ...NO_CEILING, max_amount: 500, currency: 'USD' };
  const chain: Chain = [
    link('del_1', {
      scope: { ...OPEN, capabilities: ['a', 'b', 'x'], destinations: ['*.Example.com'] },
      ceiling,
      delegate: { status: 'ACTIVE', capabilities: ['a', 'x'] },
      expires_at: '2026-07-01T00:00:00.000Z',
    }),
    link('del_2', { scope: { ...OPEN, destinations: ['api.example.com'] }, expires_at: '2026-06-01T00:00:00.000Z' }),
  ];
  const { steps, bounds, refusal, delegation_id } = deriveAuthority(['a', 'b', 'c'], chain, NOW);
  assert.deepEqual(
    steps.map(({ delegation_id: id, narrowings }) => [id, narrowings]),
    [
      [
        'del_1',
        [
          { field: 'scope.capabilities', removed: ['c'], left: ['a', 'b'] },
          { field: 'delegate.capabilities', removed: ['b'], left: ['a'] },
          { field: 'scope.destinations', removed: null, left: ['*.example.com'] },
        ],
      ],
      ['del_2', [{ field: 'scope.destinations', removed: ['*.example.com'], left: ['api.example.com'] }]],
    ],
  );
  assert.deepEqual(bounds, {
    capabilities: ['a'],
    tools: null,
    environments: null,
    destinations: ['api.example.com'],
    ceilings: [{ delegation_id: 'del_1', ...ceiling }],
    expires_at: '2026-06-01T00:00:00.000Z',
    redelegations_left: 2,
  });
  assert.deepEqual([refusal, delegation_id], [null, 'del_2']);
});

test("uses an agent's grants without a root delegation in force, otherwise the union of those", () => {
  const [first, second] = [
    link('del_1', { scope: { ...OPEN, capabilities: ['a'] } }),
    link('del_2', { scope: { ...OPEN, capabilities: ['b'] } }),
  ];
  const over = link('del_3', { status: 'REVOKED' });
  const derived: Chain = [link('del_4'), link('del_5')];
  const told = effectiveAuthority(['a', 'b', 'c'], [[first], [second], [over], derived], NOW);
  assert.deepEqual([told.source, told.capabilities, told.acts_under], ['DELEGATION', ['a', 'b'], ['del_1', 'del_2']]);
  assert.equal(told.delegations[2]?.refusal?.code, 'DELEGATION_INVALID');
  const without = effectiveAuthority(['a', 'b', 'c'], [[over], derived], NOW);
  assert.deepEqual([without.source, without.capabilities, without.acts_under], ['GRANT', ['a', 'b', 'c'], []]);
});
