import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placementFaults } from './placement-faults.ts';

test('a secret has no header that the service says itself, and none that cannot be kept', () => {
  for (const header of ['Accept-Encoding', 'connection', 'Host', 'Transfer-Encoding', '__proto__', '__PROTO__'])
    assert.deepEqual(
      placementFaults('HEADER', { header }).map(({ pointer }) => pointer),
      ['/placement/header'],
      header,
    );
  for (const header of ['X-Api-Key', 'Authorization', 'accept', 'constructor', 'proto'])
    assert.deepEqual(placementFaults('HEADER', { header }), [], header);
});
