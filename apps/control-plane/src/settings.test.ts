import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { readControlSettings } from './settings.ts';

const signupWith = (env: Record<string, string>): unknown => {
  const settings = readControlSettings({ DATABASE_URL: 'postgres://db/x', SVC_MASTER_KEY: TEST_MASTER_KEY, ...env });
  return 'faults' in settings ? settings.faults : settings.signup;
};

test('the public address of a plane has no user, no query and no fragment, and is of the web', () => {
  for (const name of ['SVC_GATEWAY_URL', 'SVC_BASE_URL']) {
    for (const text of [
      'https://a.example?x=1',
      'https://a.example/#x',
      'https://u:hunter2@a.example',
      'ftp://a.example',
      'a.example:80',
    ]) {
      const faults = String(signupWith({ [name]: text }));
      assert.match(faults, new RegExp(`^${name} must be an http or https address without a user, a query or a fragment`), text);
      assert.doesNotMatch(faults, /hunter2/);
    }
    assert.equal(signupWith({ [name]: 'http://127.0.0.1:4100/behind/' }), 'open');
  }
});

test('sign-up is open by itself only where nobody but this machine reaches the plane', () => {
  for (const env of [{}, { HOST: 'localhost' }, { HOST: '::1' }, { HOST: '127.0.0.2' }, { SVC_BASE_URL: 'http://127.0.0.1:4000' }])
    assert.equal(signupWith(env), 'open', JSON.stringify(env));
  for (const env of [
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '10.0.0.7' },
    { HOST: '127.0.0.1.example' },
    { SVC_BASE_URL: 'https://governance.example' },
    { SVC_TRUST_PROXY: 'true' },
  ])
    assert.equal(signupWith(env), 'closed', JSON.stringify(env));
});

test('sign-up is what the setting says wherever the plane is, and a word that is none stops the start', () => {
  assert.equal(signupWith({ HOST: '0.0.0.0', SVC_SIGNUP: 'open' }), 'open');
  assert.equal(signupWith({ SVC_SIGNUP: 'invited' }), 'invited');
  assert.match(String(signupWith({ SVC_SIGNUP: 'yes' })), /SVC_SIGNUP is "yes", but must be one of closed, invited, open/);
});
