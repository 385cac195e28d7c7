import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takesGzip } from './takes-gzip.ts';

test('gzip is used if it is accepted with a weight', () => {
  const taken = ['gzip', 'GZIP', 'gzip, deflate, br, zstd', 'br;q=1, gzip', 'gzip; q=0.5', 'gzip;q=1', 'gzip ;\tq=1.000', 'gzip;Q=.001'];
  for (const said of taken) assert.equal(takesGzip(said), true, said);
  assert.equal(takesGzip(['br', 'gzip']), true);
  const refused = [
    '',
    'br',
    'identity',
    '*',
    'x-gzip',
    'gzip;q=0',
    'gzip;q=0.000',
    'gzip;q=.',
    'gzip;q=2',
    'gzip;q=x',
    'gzip;q=1;q=1',
    'gzip q=1',
  ];
  for (const said of refused) assert.equal(takesGzip(said), false, said);
  assert.equal(takesGzip(undefined), false);
});

test('a header of maximum length is cheap', () => {
  for (const said of [`gzip;q=.${'1'.repeat(15_500)}x`, `gzip${' '.repeat(15_500)}x`, 'gzip;'.repeat(3_100), 'gzip;q=,'.repeat(1_900)]) {
    const startedAt = process.cpuUsage();
    assert.equal(takesGzip(said), false);
    const { user, system } = process.cpuUsage(startedAt);
    assert.ok(user + system < 50_000, `${said.slice(0, 12)} took ${user + system} µs`);
  }
});
