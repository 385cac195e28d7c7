import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type Endpoint, isCreation, isRefusedWhileEnding, listCommonRefusals } from '@svc/contract/rows/endpoint.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import type { Caller } from '../calls/call.ts';
import type { Licence } from '../calls/licence.ts';
import { checkOrganizationStatus } from './standing.ts';

const ROWS = Object.entries(ENDPOINTS) as [string, Endpoint][];
const LAPSED: Licence = { isActive: async () => false };
const caller = (organizationDeletesAt: string | null): Caller => ({ organizationId: 'org_1', organizationDeletesAt }) as Caller;

test('a lapsed licence is reported on rows that create something only, and the open build never lapses', async () => {
  let refused = 0;
  for (const [name, row] of ROWS) {
    const code = (await checkOrganizationStatus(row, caller(null), LAPSED))?.refused;
    assert.equal(code, isCreation(row) ? 'SUBSCRIPTION_REQUIRED' : undefined, name);
    assert.equal(listCommonRefusals(row).includes('SUBSCRIPTION_REQUIRED'), isCreation(row), name);
    assert.equal(await checkOrganizationStatus(row, caller(null)), undefined, name);
    if (code) refused += 1;
  }
  assert.ok(refused >= 8, `${refused} rows`);
  assert.equal(ERRORS.SUBSCRIPTION_REQUIRED.status, 402);
  for (const name of ['createWorkspace', 'createAgent', 'createPolicy', 'createApiKey'] as const)
    assert.ok(isCreation(ENDPOINTS[name]), name);
});

test('a pending deletion refuses changes of the organization, except stops and its cancellation', async () => {
  const ending = caller('2030-01-01T00:00:00.000Z');
  for (const [name, row] of ROWS)
    assert.equal(
      (await checkOrganizationStatus(row, ending))?.refused,
      isRefusedWhileEnding(row) ? 'INVALID_STATE_TRANSITION' : undefined,
      name,
    );
  const open: readonly (keyof typeof ENDPOINTS)[] = [
    ...(['restoreOrganization', 'deleteOrganization', 'logout', 'stepUp', 'switchOrganization'] as const),
    ...(['pauseEnvironment', 'revokeAgent', 'revokeApiKey', 'getOrganization', 'searchAuditEvents'] as const),
  ];
  for (const name of open) assert.equal(isRefusedWhileEnding(ENDPOINTS[name]), false, name);
  for (const name of ['updateOrganization', 'createAgent', 'resumeAgent', 'activatePolicy', 'approveApproval'] as const)
    assert.equal(isRefusedWhileEnding(ENDPOINTS[name]), true, name);
});
