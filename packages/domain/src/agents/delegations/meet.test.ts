import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRateTable } from '../../money/fx-rates/rate-table.ts';
import type { Ceiling, DelegationBounds } from './delegation.ts';
import { meet } from './meet.ts';

const exchange = { rates: newRateTable('USD', []), now: new Date('2026-03-01T00:00:00.000Z') };
const OPEN: Ceiling = { max_amount: null, currency: null, max_calls: null, window_seconds: null };

const bounds = (more: Partial<DelegationBounds> = {}): DelegationBounds => ({
  scope: { capabilities: null, tools: null, environments: null, destinations: null },
  ceiling: OPEN,
  expires_at: null,
  can_redelegate: true,
  max_depth: 3,
  ...more,
});

test('returns the meet of two delegations in every dimension, in any order', () => {
  const one = bounds({
    scope: { capabilities: ['a', 'b'], tools: null, environments: ['e'], destinations: ['*.example.com', 'x.test'] },
    ceiling: { ...OPEN, max_amount: 500, currency: 'USD' },
    expires_at: '2026-06-01T00:00:00.000Z',
    can_redelegate: false,
  });
  const other = bounds({
    scope: { capabilities: ['b', 'c'], tools: ['t'], environments: [], destinations: ['api.example.com', 'y.test'] },
    ceiling: { ...OPEN, max_calls: 3 },
    expires_at: '2026-05-01T00:00:00.000Z',
    max_depth: 1,
  });
  const both = {
    scope: { capabilities: ['b'], tools: ['t'], environments: [], destinations: ['api.example.com'] },
    ceiling: { max_amount: 500, currency: 'USD', max_calls: 3, window_seconds: null },
    expires_at: '2026-05-01T00:00:00.000Z',
    can_redelegate: false,
    max_depth: 1,
  };
  assert.deepEqual(meet(one, other, exchange), { ok: both });
  assert.deepEqual(meet(other, one, exchange), { ok: both });
});

test('returns the inner of two nested ceilings as their meet; others have none', () => {
  const hourly = bounds({ ceiling: { ...OPEN, max_calls: 60, window_seconds: 3_600 } });
  const rarely = bounds({ ceiling: { ...OPEN, max_calls: 1, window_seconds: 86_400 } });
  const burst = bounds({ ceiling: { ...OPEN, max_calls: 2, window_seconds: 1 } });
  assert.deepEqual(meet(hourly, rarely, exchange), { ok: rarely });
  assert.deepEqual(meet(hourly, burst, exchange), {
    faults: [{ field: 'ceiling', parent: hourly.ceiling, asked: burst.ceiling }],
  });
});
