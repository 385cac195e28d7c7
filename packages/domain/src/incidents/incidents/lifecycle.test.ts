import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INCIDENT_STATUSES } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { getIncidentTransition } from './lifecycle.ts';

test('permits only the defined transitions of an incident', () => {
  const moves = (['update', 'contain', 'resolve', 'reopen', 'close'] as const).map((operation) => [
    operation,
    INCIDENT_STATUSES.map((from) => {
      const moved = getIncidentTransition(operation, from);
      return isRefusal(moved) ? '-' : moved.to;
    }),
  ]);
  assert.deepEqual(Object.fromEntries(moves), {
    update: ['OPEN', 'CONTAINED', 'RESOLVED', '-'],
    contain: ['CONTAINED', 'CONTAINED', '-', '-'],
    resolve: ['RESOLVED', 'RESOLVED', '-', '-'],
    reopen: ['-', '-', 'OPEN', '-'],
    close: ['-', '-', 'CLOSED', '-'],
  });
});
