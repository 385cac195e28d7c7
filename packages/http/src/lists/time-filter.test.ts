import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTimeFilterRefusal } from './time-filter.ts';

test('times are accepted in the one spelling of the API, and optional', () => {
  const from = '2026-02-28T00:00:00.000Z';
  for (const query of [{}, { from }, { to: from }, { from, to: '2026-03-01T00:00:00.000Z' }])
    assert.equal(findTimeFilterRefusal(query), undefined);
});

test('an invalid day, another spelling or no time at all is refused with its pointer', () => {
  for (const wrong of ['2026-02-30T00:00:00.000Z', '2026-02-28', '2026-02-28T00:00:00Z', '2026-02-28T00:00:00.000+01', '', 'now']) {
    const refused = findTimeFilterRefusal({ from: wrong, to: wrong });
    assert.equal(refused?.refused, 'VALIDATION_FAILED', wrong);
    assert.match(JSON.stringify(refused?.details), /"\/from".*"\/to"/, wrong);
  }
});
