import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddressDomain } from './address-domain.ts';
import { findIssuerFault } from './issuer-fault.ts';
import { resolveClaimsRole } from './role-of-claims.ts';

test('returns the part after the one @ of an address, in lower case', () => {
  assert.equal(getAddressDomain('Ada@Example.COM'), 'example.com');
  for (const none of [
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@evil.com@example.com',
    'a da@example.com',
    'ada@example.com\n',
    'ada\u0000@example.com',
  ])
    assert.equal(getAddressDomain(none), undefined, none);
});

test('accepts an https address, or this machine, as an issuer', () => {
  for (const good of ['https://login.example.com', 'https://x.example/realms/a', 'http://127.0.0.1:3000', 'http://localhost:1'])
    assert.equal(findIssuerFault(good), undefined, good);
  for (const bad of [
    'http://login.example.com',
    'ftp://x',
    'javascript:alert(1)',
    'https://a:b@x.example',
    'https://x.example/?a',
    'x',
    '',
  ])
    assert.notEqual(findIssuerFault(bad), undefined, bad);
});

const TERMS = {
  role_claim: 'groups',
  role_mapping: [
    { value: 'Admins', role_id: 'rol_a' },
    { value: 'Staff', role_id: 'rol_s' },
  ],
  default_role_id: null,
};

test('returns the role of the first exactly matching mapping, and none for a value that is no text', () => {
  const role = (groups: unknown, more: object = {}) => resolveClaimsRole({ groups }, { ...TERMS, ...more }).role_id;
  assert.equal(role(['Staff', 'Admins']), 'rol_a');
  assert.equal(role('Staff'), 'rol_s');
  for (const none of [['staff'], 'Staff ', { Staff: true }, [['Staff']], 7, null, undefined]) assert.equal(role(none), null, String(none));
  assert.equal(role([], { default_role_id: 'rol_d' }), 'rol_d');
  assert.equal(role(Array.from({ length: 5_000 }, (_, n) => (n === 4_999 ? 'Staff' : `g${n}`))), null, 'no more values are looked at');
  assert.equal(resolveClaimsRole({}, { ...TERMS, role_claim: 'constructor' }).role_id, null);
});
