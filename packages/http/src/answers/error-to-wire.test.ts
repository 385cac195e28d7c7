import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import pg from 'pg';
import { toRefusal, toWire } from './error-to-wire.ts';

const wireMessage = (message: string | undefined, faults: readonly object[]): string =>
  toWire(buildRefusal('VALIDATION_FAILED', message, { faults }), 'req_1').body.error.message;

test('the message of a refusal with faults contains the first one, its pointer and the number of others', () => {
  const faults = [
    { pointer: '/name', message: 'must be a string' },
    { pointer: '/n', message: 'is missing' },
  ];
  assert.equal(wireMessage('The body is not valid.', faults), 'The body is not valid. /name: name must be a string. And 1 more.');
  assert.equal(wireMessage('The body is not valid.', faults.slice(0, 1)), 'The body is not valid. /name: name must be a string.');
  assert.equal(wireMessage(undefined, faults), 'name must be a string.');
  assert.equal(wireMessage('The whole is wrong.', [{ pointer: '', message: 'The whole is wrong.' }]), 'The whole is wrong.');
  assert.ok(wireMessage('Invalid.', [{ pointer: `/${'p'.repeat(5_000)}`, message: 'm'.repeat(5_000) }]).length < 700);
});

test('a full disk is reported as such, of the database and of this machine', () => {
  const full = Object.assign(new pg.DatabaseError('could not extend file', 10, 'error'), { code: '53100' });
  for (const error of [full, Object.assign(new Error('write'), { code: 'ENOSPC' })]) {
    const { status, body } = toWire(toRefusal(error), 'req_1');
    assert.deepEqual([status, body.error.code, body.error.details], [503, 'DEPENDENCY_UNAVAILABLE', { part: 'disk' }]);
    assert.match(body.error.message, /disk of the database is full/);
  }
  const other = Object.assign(new pg.DatabaseError('too many connections', 10, 'error'), { code: '53300' });
  assert.equal(toWire(toRefusal(other), 'req_1').body.error.details, undefined);
});
