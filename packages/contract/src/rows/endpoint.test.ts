import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { ENDPOINTS } from '../endpoints.ts';
import { listParameterNames, PATH_PARAMETERS } from '../tables/path-parameters.ts';
import { defineEndpoint, type Endpoint, listCommonRefusals, listPermissions, stepUpOfRow } from './endpoint.ts';

const BASE = {
  plane: 'control',
  area: 'agents',
  method: 'GET',
  summary: 'For these tests.',
  wire: 'json',
  result: Type.Object({}),
  emits: [],
  refuses: [],
} as const;
const CALLER = { ...BASE, path: '/v1/agents/{agentId}', credential: 'caller', budget: 'caller', permissions: ['agent:read'] } as const;
const AGENT = { ...BASE, path: '/gateway/v1/x', credential: 'agent', budget: 'agent', sessionCheckedBy: 'door' } as const;

test('a row with missing members does not compile', () => {
  assert.deepEqual([defineEndpoint(CALLER), defineEndpoint(AGENT)], [CALLER, AGENT]);
  const { budget: _b, ...unbudgeted } = CALLER;
  const { permissions: _p, ...unpermitted } = CALLER;
  const { sessionCheckedBy: _s, ...unchecked } = AGENT;
  const { wire: _w, ...unwired } = CALLER;
  // @ts-expect-error Without a rate limit.
  defineEndpoint(unbudgeted);
  // @ts-expect-error Without permissions.
  defineEndpoint(unpermitted);
  // @ts-expect-error Without a permission, and without a reason.
  defineEndpoint({ ...CALLER, permissions: [] });
  // @ts-expect-error The caller is known, but not counted.
  defineEndpoint({ ...CALLER, budget: { none: 'not accepted for a known caller' } });
  // @ts-expect-error The caller is unknown, but counted.
  defineEndpoint({ ...CALLER, credential: 'none', permissions: undefined });
  // @ts-expect-error Without the checker of the session.
  defineEndpoint(unchecked);
  // @ts-expect-error Without a wire.
  defineEndpoint(unwired);
  // @ts-expect-error With a parameter that no table has.
  defineEndpoint({ ...CALLER, path: '/v1/agents/{agentId}/keys/{keyId}' });
});

test('all permissions are documented, and the strictest proof is required', () => {
  const row = (...permissions: readonly string[]) => ({ ...CALLER, permissions }) as unknown as Endpoint;
  assert.deepEqual(listPermissions(row('agent:read', 'agent:revoke')), ['agent:read', 'agent:revoke']);
  assert.equal(stepUpOfRow(row('agent:read', 'agent:update')), undefined);
  assert.equal(stepUpOfRow(row('agent:read', 'environment:set_mode')), 'when_reducing');
  assert.equal(stepUpOfRow(row('environment:set_mode', 'agent:revoke')), true);
  assert.equal(stepUpOfRow({ ...row('agent:read'), mayNeed: ['step_up'] }), 'may');
  assert.ok(listCommonRefusals(row('agent:read', 'agent:revoke')).includes('STEP_UP_REQUIRED'));
  assert.ok(listCommonRefusals({ ...CALLER, permissions: { none: 'for this test' } }).includes('PERMISSION_DENIED'), 'a forged request');
});

test('every path parameter is declared by a path', () => {
  const used = new Set(Object.values(ENDPOINTS).flatMap(({ path }) => listParameterNames(path)));
  assert.deepEqual([...used].sort(), Object.keys(PATH_PARAMETERS).sort());
});
