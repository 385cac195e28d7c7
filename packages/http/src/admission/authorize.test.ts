import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Caller } from '../calls/call.ts';
import { findPermissionRefusal } from './authorize.ts';

const NOW = new Date('2026-01-01T00:00:00.000Z');
const BOTH: Endpoint = { ...ENDPOINTS.updateAgent, permissions: ['runtime:manage', 'credential:rotate'] };

const callerWith = (permissions: readonly Permission[], steppedUpUntil: string | null = null): Caller =>
  ({ actor: { type: 'USER', id: 'usr_1', name: null }, permissions: new Set(permissions), steppedUpUntil }) as unknown as Caller;

test('a caller without one permission of a row gets its name, and without several the first', () => {
  const lacked = (...held: readonly Permission[]) => findPermissionRefusal(BOTH, callerWith(held), NOW)?.details?.permission;
  assert.equal(lacked('runtime:manage'), 'credential:rotate');
  assert.equal(lacked('credential:rotate'), 'runtime:manage');
  assert.equal(lacked('agent:update'), 'runtime:manage');
});

test('a caller with all permissions is admitted with the strictest required proof', () => {
  const held: readonly Permission[] = ['credential:rotate', 'runtime:manage'];
  assert.equal(findPermissionRefusal(BOTH, callerWith(held), NOW)?.refused, 'STEP_UP_REQUIRED');
  assert.equal(findPermissionRefusal(BOTH, callerWith(held, '2026-01-01T00:01:00.000Z'), NOW), undefined);
});
