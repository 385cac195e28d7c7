import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { newFairTurns } from '@svc/fairness/quantum/fair-turns.ts';
import Fastify from 'fastify';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { bind } from './bind.ts';
import { findRowFault } from './row-fault.ts';

test('every row of the service is complete', () => {
  for (const [name, row] of Object.entries(ENDPOINTS)) assert.equal(findRowFault(row), undefined, name);
});

/** Members that replace a row's own, as after a cast. */
const LEFT_OPEN: readonly (readonly [what: string, row: Endpoint, instead: object])[] = [
  ['no budget', ENDPOINTS.login, { budget: undefined }],
  ['a budget without an owner', ENDPOINTS.login, { budget: 'caller' }],
  ['a budget that nothing counts', ENDPOINTS.login, { budget: 'hourly' }],
  ['no budget of a caller, for a reason', ENDPOINTS.listAgents, { budget: { none: 'it is quick' } }],
  ['no permission', ENDPOINTS.listAgents, { permissions: undefined }],
  ['an empty list of permissions', ENDPOINTS.listAgents, { permissions: [] }],
  ['no session check', ENDPOINTS.act, { sessionCheckedBy: undefined }],
  ['a path parameter of no table', ENDPOINTS.getAgent, { path: '/v1/agents/{agentNumber}' }],
  ['a wire that nothing serves', ENDPOINTS.getAgent, { wire: 'carrier pigeon' }],
  ['no wire', ENDPOINTS.getAgent, { wire: undefined }],
  ['no rule for API keys', ENDPOINTS.createAgent, { automation: undefined }],
];

for (const [what, row, instead] of LEFT_OPEN)
  test(`a plane does not start with a row that has ${what}`, () => {
    const open = { ...row, ...instead } as Endpoint;
    const deps = { turns: newFairTurns() } as unknown as ServeDeps & { turns: ReturnType<typeof newFairTurns> };
    assert.throws(() => bind(Fastify(), 'openRow', open, () => ({}), deps, {}), /the row openRow (says|states|has|names|does not say)/);
  });
