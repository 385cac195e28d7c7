import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimedAddress, withUserInfo } from './claimed-address.ts';
import { isSharedIssuer } from './shared-issuer.ts';

const email = 'Ada@Example.com';
const counted = { email: 'ada@example.com', domain: 'example.com' };

test("accepts an address by its provider's statement and the connection's trust", () => {
  for (const trust of ['CLAIM', 'VERIFIED_DOMAINS'] as const) {
    for (const email_verified of [true, 'true', 'TRUE']) assert.deepEqual(claimedAddress({ email, email_verified }, trust), counted);
    for (const email_verified of [false, 'false', '', 'yes', 0, 1, [], {}, [true]])
      assert.deepEqual(claimedAddress({ email, email_verified }, trust), { fault: 'EMAIL_VERIFIED_FALSE' }, String(email_verified));
    for (const none of [undefined, null, 7, '', 'x', 'a@', '@b', 'a b@c', 'a@b@c', 'a\0@b', `${'a'.repeat(250)}@b.cd`])
      assert.deepEqual(claimedAddress({ email: none, email_verified: true }, trust), { fault: 'EMAIL_MISSING' }, String(none));
  }
  for (const email_verified of [undefined, null]) {
    assert.deepEqual(claimedAddress({ email, email_verified }, 'CLAIM'), { fault: 'EMAIL_VERIFIED_MISSING' });
    assert.deepEqual(claimedAddress({ email, email_verified }, 'VERIFIED_DOMAINS'), counted);
  }
});

test('takes the address and its verification from one document', () => {
  const pair = (idToken: Readonly<Record<string, unknown>>, userInfo: Readonly<Record<string, unknown>>) => {
    const { email: address, email_verified } = withUserInfo({ sub: 's', ...idToken } as Readonly<Record<string, unknown>>, userInfo);
    return [address, email_verified];
  };
  assert.deepEqual(pair({ email: 'a@b' }, { email_verified: true }), ['a@b', undefined]);
  assert.deepEqual(pair({ email: 'a@b' }, { email: 'c@d', email_verified: true }), ['a@b', undefined]);
  assert.deepEqual(pair({ email: 'a@b' }, { email: 'A@b', email_verified: true }), ['A@b', true]);
  assert.deepEqual(pair({ email: 'a@b', email_verified: false }, { email: 'a@b', email_verified: true }), ['a@b', false]);
  assert.deepEqual(pair({ email_verified: true }, { email: 'a@b' }), ['a@b', undefined]);
  assert.deepEqual(pair({ email_verified: true }, {}), [undefined, undefined]);
  assert.deepEqual(withUserInfo({ sub: 's', groups: ['x'] }, { sub: 't', groups: ['y'], name: 'N' }), {
    ...{ sub: 's', groups: ['x'], name: 'N' },
    ...{ email: undefined, email_verified: undefined },
  });
});

test('distinguishes a shared issuer from one of a single tenant', () => {
  const tenant = '0d0f2c0e-0000-4000-8000-000000000001';
  for (const issuer of [
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/organizations/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://sts.windows.net/common/',
    'https://login.microsoftonline.com',
    'https://accounts.google.com',
  ])
    assert.equal(isSharedIssuer(issuer), true, issuer);
  for (const issuer of [
    `https://login.microsoftonline.com/${tenant}/v2.0`,
    `https://sts.windows.net/${tenant}/`,
    'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf',
    'https://login.example.com/common',
    'urn:example:idp',
  ])
    assert.equal(isSharedIssuer(issuer), false, issuer);
});
