import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEncoding } from './choose-encoding.ts';

const bytes = Buffer.from('compressed');
const both = { br: bytes, gzip: bytes };
const takesGzip = (accepted: string | string[] | undefined): boolean => chooseEncoding(accepted, { gzip: bytes }) === 'gzip';

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

test('the encoding of the highest weight is chosen, Brotli of two with the same, and none that the content is not kept in', () => {
  const cases = [
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['*', undefined],
  ] as const;
  for (const [accepted, chosen] of cases) assert.equal(chooseEncoding(accepted, both), chosen, accepted);
  assert.equal(chooseEncoding('br', { gzip: bytes }), undefined);
  assert.equal(chooseEncoding('br, gzip', {}), undefined);
});

test('a header of maximum length is cheap', () => {
  for (const said of [`gzip;q=.${'1'.repeat(15_500)}x`, `gzip${' '.repeat(15_500)}x`, 'gzip;'.repeat(3_100), 'gzip;q=,'.repeat(1_900)]) {
    const startedAt = process.cpuUsage();
    assert.equal(takesGzip(said), false);
    const { user, system } = process.cpuUsage(startedAt);
    assert.ok(user + system < 50_000, `${said.slice(0, 12)} took ${user + system} µs`);
  }
});
