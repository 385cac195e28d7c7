import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@svc/client/errors.ts';
import { findFault, formatFault } from '../web/data/faults.ts';

const refused = (faults: unknown) =>
  new ServiceError({ code: 'VALIDATION_FAILED', message: 'The body is not valid.', details: { faults } });
const ERROR = refused([
  { pointer: '/event_types', message: 'Must have at least 1 item.' },
  { pointer: '/placement/header~1name', message: 'Too long.' },
  { pointer: '/destinations/1', message: 'Must be a host.' },
  { pointer: '/tools/0', message: 'tools/0 must be a name.' },
]);

test('shows every fault with its place, including faults that no form field covers', () => {
  assert.deepEqual(formatFault(ERROR), [
    'event types: Must have at least 1 item.',
    'placement header/name: Too long.',
    'destinations 2: Must be a host.',
    'tools/0 must be a name.',
  ]);
});

test('shows only the innermost place of nested faults, and faults of the whole that have no place', () => {
  const inner = refused([
    { pointer: '/quiet_hours/until', message: 'Must be a time.' },
    { pointer: '/quiet_hours', message: 'Must be null.' },
  ]);
  assert.deepEqual(formatFault(inner), ['quiet hours until: Must be a time.']);
  assert.deepEqual(formatFault(refused([{ pointer: '', message: 'Must be an object.' }])), ['Must be an object.']);
});

test('marks a field with its own faults, and not with those of a field whose name starts alike', () => {
  assert.equal(findFault(ERROR, 'destinations'), 'Must be a host.');
  assert.equal(findFault(ERROR, 'event'), undefined);
});

test('reads a response of any other form as one without faults', () => {
  for (const faults of [undefined, 'none', [null, 'text', { pointer: 1 }]]) assert.deepEqual(formatFault(refused(faults)), []);
  assert.deepEqual(formatFault(undefined), []);
});
