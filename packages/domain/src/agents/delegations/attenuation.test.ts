import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newRateTable } from '../../money/fx-rates/rate-table.ts';
import { findAttenuationFaults, findReductionFaults } from './attenuation.ts';
import type { Chain, DelegationBounds, DelegationLink } from './delegation.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const rate = { id: 'fxr_1', base_currency: 'EUR', quote_currency: 'USD', rate: '1.1', effective_at: '2020-01-01T00:00:00.000Z' };
const exchange = { rates: newRateTable('USD', [{ ...rate, source: 'MANUAL' }]), now: NOW };

type Change = { scope?: Partial<DelegationBounds['scope']>; ceiling?: Partial<DelegationBounds['ceiling']> } & Partial<
  Omit<DelegationBounds, 'scope' | 'ceiling'>
>;

const bounds = ({ scope, ceiling, ...rest }: Change = {}): DelegationBounds => ({
  expires_at: '2026-06-01T00:00:00.000Z',
  can_redelegate: true,
  max_depth: 3,
  ...rest,
  scope: {
    capabilities: ['refund.create', 'refund.read'],
    tools: ['refund.create'],
    environments: ['env_1'],
    destinations: ['*.example.com'],
    ...scope,
  },
  ceiling: { max_amount: 1_000, currency: 'USD', max_calls: 60, window_seconds: 3_600, ...ceiling },
});

const link = (change: Change = {}, capabilities = ['refund.create', 'refund.read'], id = 'del_1'): DelegationLink => ({
  ...bounds(change),
  id,
  parent_id: null,
  delegator: { type: 'USER', id: 'usr_1' },
  delegate_agent_id: `agt_of_${id}`,
  status: 'ACTIVE',
  delegate: { status: 'ACTIVE', capabilities },
});

const child = (change: Change = {}): DelegationBounds => bounds({ max_depth: 2, ...change });
const listFields = (chain: Chain, asked: DelegationBounds): string[] =>
  findAttenuationFaults(chain, asked, exchange).map(({ field }) => field);

describe('a delegation below another', () => {
  test('may have everything of the one above, except one step of depth', () => {
    assert.deepEqual(findAttenuationFaults([link()], child(), exchange), []);
  });

  test('gets each field in which it requests more, with the bound and the requested value', () => {
    const asked = child({
      scope: { capabilities: ['refund.create', 'payout.create'], destinations: null },
      expires_at: null,
    });
    assert.deepEqual(findAttenuationFaults([link()], asked, exchange), [
      { field: 'scope.capabilities', parent: ['refund.create', 'refund.read'], asked: ['refund.create', 'payout.create'] },
      { field: 'scope.destinations', parent: ['*.example.com'], asked: null },
      { field: 'expires_at', parent: '2026-06-01T00:00:00.000Z', asked: null },
    ]);
  });

  test('must keep every bound of the one above', () => {
    const open = {
      scope: { capabilities: null, tools: null, environments: null, destinations: null },
      ceiling: { max_amount: null, currency: null, max_calls: null, window_seconds: null },
      expires_at: null,
    };
    assert.deepEqual(listFields([link()], child(open)), [
      'scope.capabilities',
      'scope.tools',
      'scope.environments',
      'scope.destinations',
      'ceiling.max_amount',
      'ceiling.max_calls',
      'expires_at',
    ]);
    assert.deepEqual(listFields([link(open)], child(open)), []);
  });

  test('may be empty', () => {
    assert.deepEqual(listFields([link()], child({ scope: { capabilities: [], tools: [], environments: [], destinations: [] } })), []);
  });

  test('is compared in the currency of the one above, rounded up against it', () => {
    assert.deepEqual(listFields([link()], child({ ceiling: { max_amount: 909, currency: 'EUR' } })), []);
    assert.deepEqual(listFields([link()], child({ ceiling: { max_amount: 910, currency: 'EUR' } })), ['ceiling.max_amount']);
    assert.deepEqual(listFields([link()], child({ ceiling: { max_amount: 1, currency: 'CHF' } })), ['ceiling.currency']);
  });

  test('must not be delegated further, or created where that was not allowed', () => {
    assert.deepEqual(findAttenuationFaults([link()], child({ max_depth: 3 }), exchange), [{ field: 'max_depth', parent: 3, asked: 3 }]);
    assert.deepEqual(listFields([link({ can_redelegate: false })], child({ can_redelegate: false, max_depth: 0 })), ['can_redelegate']);
    assert.deepEqual(listFields([link({ max_depth: 0 })], child({ can_redelegate: false, max_depth: 0 })), ['max_depth']);
  });

  test('is bounded by every link above, even if the nearest was created before one above was narrowed', () => {
    const chain: Chain = [link({ ceiling: { max_amount: 10 }, max_depth: 1 }), link({ max_depth: 2 }, undefined, 'del_2')];
    assert.deepEqual(findAttenuationFaults(chain, child({ max_depth: 1 }), exchange), [
      { field: 'ceiling.max_amount', parent: { max_amount: 10, currency: 'USD' }, asked: { max_amount: 1_000, currency: 'USD' } },
      { field: 'max_depth', parent: 0, asked: 1 },
    ]);
  });

  test('names no capability that an agent above lacks', () => {
    assert.deepEqual(findAttenuationFaults([link({}, ['refund.read'])], child(), exchange), [
      { field: 'scope.capabilities', parent: ['refund.read'], asked: ['refund.create', 'refund.read'] },
    ]);
  });
});

describe('a reduction', () => {
  test('may remove anything and add nothing', () => {
    assert.deepEqual(findReductionFaults(bounds(), bounds(), exchange), []);
    const less = bounds({ scope: { tools: [] }, ceiling: { max_amount: 1, max_calls: 1 }, can_redelegate: false, max_depth: 0 });
    assert.deepEqual(findReductionFaults(bounds(), less, exchange), []);
    assert.deepEqual(
      findReductionFaults(less, bounds(), exchange).map(({ field }) => field),
      ['scope.tools', 'ceiling.max_amount', 'ceiling.max_calls', 'can_redelegate', 'max_depth'],
    );
  });

  test('keeps the currency in which its uses are counted', () => {
    const asked = bounds({ ceiling: { max_amount: 1, currency: 'EUR' } });
    assert.deepEqual(findReductionFaults(bounds(), asked, exchange), [{ field: 'ceiling.currency', parent: 'USD', asked: 'EUR' }]);
  });
});
