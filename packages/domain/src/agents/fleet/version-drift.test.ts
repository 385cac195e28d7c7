import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickNewestVersion, versionDrift } from './version-drift.ts';

test('compares versions by their numbers, and none without', () => {
  const cases = [
    ['1.2.3', '1.2.3', 'CURRENT'],
    ['1.9.0', '1.10.0', 'OLDER'],
    ['v2', '1.10.0', 'NEWER'],
    ['1.10', '1.10.0', 'CURRENT'],
    ['1.10.0-rc.1', '1.10.0', 'OLDER'],
    ['1.10.0-rc.1', '1.10.0-rc.2', 'UNKNOWN'],
    ['1.10.0+build', '1.10.0', 'CURRENT'],
    ['nightly', '1.0.0', 'UNKNOWN'],
    ['1.0.0', 'nightly', 'UNKNOWN'],
    ['99999999999.0.0', '1.0.0', 'UNKNOWN'],
    ['1.0.0\u0000<script>', '1.0.0', 'UNKNOWN'],
  ] as const;
  for (const [version, reference, drift] of cases) assert.equal(versionDrift(version, reference), drift, `${version} ${reference}`);
  assert.equal(pickNewestVersion(['nightly', '1.9.0', '1.10.0', '1.10.0-rc.1']), '1.10.0');
  assert.equal(pickNewestVersion(['nightly', 'main']), 'nightly');
});
