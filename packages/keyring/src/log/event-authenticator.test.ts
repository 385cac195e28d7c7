import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newInstallationKey } from '../sealed/installation-key.ts';
import { newEventAuthenticator } from './event-authenticator.ts';

test('a MAC authenticates one event of one organization with one leaf hash under one installation key', () => {
  const key = newInstallationKey();
  const { leafHash, mac, isAuthentic } = newEventAuthenticator(key);
  const leaf = leafHash('{"id":"evt_1"}');
  const made = mac('org_1', 'evt_1', leaf);
  assert.match(made, /^[0-9a-f]{32}$/);
  assert.equal(newEventAuthenticator(key).isAuthentic('org_1', 'evt_1', leaf, made), true);
  assert.equal(isAuthentic('org_2', 'evt_1', leaf, made), false);
  assert.equal(isAuthentic('org_1', 'evt_2', leaf, made), false);
  assert.equal(isAuthentic('org_1', 'evt_1', leafHash('{"id":"evt_2"}'), made), false);
  for (const other of ['', made.slice(2), `${made}00`, made.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))])
    assert.equal(isAuthentic('org_1', 'evt_1', leaf, other), false, other);
  assert.equal(newEventAuthenticator(newInstallationKey()).isAuthentic('org_1', 'evt_1', leaf, made), false);
});
