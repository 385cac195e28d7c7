import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@svc/client/errors.ts';
import { faultOf, faultWords } from '../web/data/faults.ts';

const refused = (faults: unknown) =>
  new ServiceError({ code: 'VALIDATION_FAILED', message: 'The body is not valid.', details: { faults } });
const ERROR = refused([
  { pointer: '/event_types', message: 'Must have at least 1 item.' },
  { pointer: '/placement/header~1name', message: 'Too long.' },
  { pointer: '/destinations/1', message: 'Must be a host.' },
  { pointer: '/tools/0', message: 'tools/0 must be a name.' },
]);

test('everything that is wrong is told with its place, also what a form has no field for', () => {
  assert.deepEqual(faultWords(ERROR), [
    'event types: Must have at least 1 item.',
    'placement header/name: Too long.',
    'destinations 2: Must be a host.',
    'tools/0 must be a name.',
  ]);
});

test('of a member and something in it the inner place alone is told, and of the whole what has no place', () => {
  const inner = refused([
    { pointer: '/quiet_hours/until', message: 'Must be a time.' },
    { pointer: '/quiet_hours', message: 'Must be null.' },
  ]);
  assert.deepEqual(faultWords(inner), ['quiet hours until: Must be a time.']);
  assert.deepEqual(faultWords(refused([{ pointer: '', message: 'Must be an object.' }])), ['Must be an object.']);
});

test('a field is marked with what is wrong in it, and by no other of which its name is the beginning', () => {
  assert.equal(faultOf(ERROR, 'destinations'), 'Must be a host.');
  assert.equal(faultOf(ERROR, 'event'), undefined);
});

test('an answer of any other form is read as one without faults', () => {
  for (const faults of [undefined, 'none', [null, 'text', { pointer: 1 }]]) assert.deepEqual(faultWords(refused(faults)), []);
  assert.deepEqual(faultWords(undefined), []);
});
