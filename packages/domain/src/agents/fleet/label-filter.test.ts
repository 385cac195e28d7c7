import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLabelFilter } from './label-filter.ts';

test('accepts labels with a value or with any, each once up to the maximum', () => {
  assert.deepEqual(readLabelFilter('team=payments,tier'), { values: { team: 'payments' }, names: ['tier'] });
  assert.deepEqual(readLabelFilter('query=a=b c'), { values: { query: 'a=b c' }, names: [] });
  assert.deepEqual(readLabelFilter('team='), { values: { team: '' }, names: [] });
  for (const wrong of [
    '',
    ',',
    'team=a,',
    'Team=a',
    '=a',
    'a'.repeat(64),
    'team=a,team=b',
    'team,team=b',
    'a,b,c,d,e,f,g,h,i',
    '__proto__',
  ])
    assert.ok('fault' in readLabelFilter(wrong), wrong);
});
