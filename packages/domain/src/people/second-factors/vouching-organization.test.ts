import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listProofsElsewhere, type Proof } from '@svc/contract/tables/proofs.ts';
import { getVouchingOrganization } from './vouching-organization.ts';

const OWN = { id: 'own', isConfirmed: true, vouchedBy: null };
const WAITING = { id: 'waiting', isConfirmed: false, vouchedBy: null };
const VOUCHED = { id: 'vouched', isConfirmed: true, vouchedBy: 'org_a' };

const session = (amr: readonly Proof[], vouchedAmr: readonly Proof[] = []) => ({ organizationId: 'org_a', amr, vouchedAmr });

test('proofs count in other organizations if a sign-in can begin with one of them that no provider vouched for', () => {
  const cases: readonly (readonly [amr: readonly Proof[], vouchedAmr: readonly Proof[], elsewhere: readonly Proof[]])[] = [
    [['PASSWORD'], [], ['PASSWORD']],
    [['SSO'], [], []],
    [['SSO_MFA', 'TOTP'], [], []],
    [['SSO', 'PASSKEY'], ['PASSKEY'], []],
    [['SSO', 'PASSKEY'], [], ['PASSKEY']],
    [['SSO_MFA', 'PASSWORD'], [], ['PASSWORD']],
    [['PASSWORD', 'DEVICE'], ['DEVICE'], ['PASSWORD']],
    [['PASSWORD', 'DEVICE'], [], ['PASSWORD', 'DEVICE']],
    [['PASSWORD', 'TOTP'], ['PASSWORD', 'TOTP'], []],
  ];
  for (const [amr, vouchedAmr, elsewhere] of cases) assert.deepEqual(listProofsElsewhere({ amr, vouchedAmr }), elsewhere, amr.join());
});

test('a factor counts in all organizations if the session proves what guards the whole account', () => {
  assert.equal(getVouchingOrganization(session(['SSO_MFA']), []), 'org_a');
  assert.equal(getVouchingOrganization(session(['PASSWORD']), []), null);
  assert.equal(getVouchingOrganization(session(['PASSWORD']), [VOUCHED, WAITING]), null);
  assert.equal(getVouchingOrganization(session(['PASSWORD']), [OWN]), 'org_a');
  assert.equal(getVouchingOrganization(session(['PASSWORD', 'TOTP'], ['TOTP']), [OWN, VOUCHED]), 'org_a');
  assert.equal(getVouchingOrganization(session(['PASSWORD', 'TOTP']), [OWN, VOUCHED]), null);
  assert.equal(getVouchingOrganization(session(['SSO', 'TOTP']), [OWN]), 'org_a');
  assert.equal(getVouchingOrganization(session(['SSO', 'PASSKEY']), [OWN]), null);
});
