import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getStepUp, PERMISSION_NAMES, PERMISSIONS } from './permissions.ts';

test('exactly thirteen permissions need a step-up, one of them only when it lowers enforcement', () => {
  const guarded = PERMISSION_NAMES.filter((name) => getStepUp(name) !== false).sort();
  assert.deepEqual(guarded, [
    'agent:revoke',
    'audit:update_retention',
    'credential:revoke',
    'credential:rotate',
    'emergency:execute',
    'environment:pause',
    'environment:set_mode',
    'organization:delete',
    'policy:activate',
    'policy:rollback',
    'role:update',
    'runtime:operate',
    'sso:update',
  ]);
  assert.equal(guarded.length, 13);
  assert.deepEqual(
    guarded.filter((name) => getStepUp(name) === 'when_reducing'),
    ['environment:set_mode'],
  );
});

test('a name is a resource and an operation, and states in a sentence what it permits', () => {
  for (const name of PERMISSION_NAMES) {
    assert.match(name, /^[a-z0-9]+:[a-z]+(_[a-z]+)*$/);
    assert.match(PERMISSIONS[name].description, /^[A-Z].{8,110}\.$/, name);
  }
});

test('every permission to change a resource has one to read it', () => {
  const readable = new Set(PERMISSION_NAMES.filter((name) => name.endsWith(':read')).map((name) => name.split(':')[0]));
  const unreadable = PERMISSION_NAMES.filter((name) => !readable.has(name.split(':')[0]));
  assert.deepEqual(unreadable, ['emergency:execute']);
});
