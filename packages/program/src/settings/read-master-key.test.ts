import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { commandEnvironment, namedMasterKey, readGivenKey } from './read-master-key.ts';
import { readSettings } from './read-settings.ts';

const named = (env: Readonly<Record<string, string>>) => namedMasterKey(readSettings(env, 'launcher'), env);
const given = (env: Readonly<Record<string, string>>) => readGivenKey(readSettings(env, 'gateway'), env);

test('accepts a master key in exactly one way, and gives a command none of our settings', () => {
  const [key, command] = [newMasterKey(), '["/usr/local/bin/kms-wrap", "alias/governance"]'];
  const both = named({ SVC_MASTER_KEY: key, SVC_MASTER_KEY_COMMAND: command });
  assert.deepEqual(both, { fault: 'SVC_MASTER_KEY and SVC_MASTER_KEY_COMMAND each set a master key. Unset all but one.' });
  assert.equal(named({}), undefined);
  const env = {
    SVC_MASTER_KEY_COMMAND: command,
    SVC_FX_PROVIDER_URL: 'https://x',
    DATABASE_URL: 'postgres://a:b@c/d',
    AWS_PROFILE: 'governance',
  };
  assert.deepEqual(named(env), {
    given: { kind: 'COMMAND', command: { words: ['/usr/local/bin/kms-wrap', 'alias/governance'], env: { AWS_PROFILE: 'governance' } } },
  });
  assert.deepEqual(commandEnvironment({ REDIS_URL: 'redis://x', SMTP_URL: 'smtp://x', SVC_X: '1', PATH: '/bin' }), { PATH: '/bin' });
});

test('reports a missing or invalid key in one sentence that does not repeat it', () => {
  for (const env of [
    {},
    { SVC_MASTER_KEY: 'aHVudGVyMg==' },
    { SVC_INSTALLATION_KEY: 'aHVudGVyMg==' },
    { SVC_MASTER_KEY_COMMAND: 'a | b' },
  ]) {
    const answer = given(env as Readonly<Record<string, string>>);
    assert.ok('fault' in answer && !answer.fault.includes('aHVudGVyMg'), JSON.stringify(env));
  }
  assert.ok('fault' in given({ SVC_MASTER_KEY_FILE: '/nowhere/master.key' }));
  const ready = given({ SVC_MASTER_KEY: newMasterKey() });
  assert.equal('given' in ready && ready.given.kind, 'KEY');
});
