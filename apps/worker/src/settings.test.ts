import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { readWorkerSettings } from './settings.ts';

const readGiven = (env: Record<string, string>) =>
  readWorkerSettings({ DATABASE_URL: 'postgres://db/x', SVC_MASTER_KEY: TEST_MASTER_KEY, ...env });

const findFaults = (env: Record<string, string>): readonly string[] => {
  const settings = readGiven(env);
  return 'faults' in settings ? settings.faults : [];
};

test('a worker that runs jobs requires the mail settings of the control plane', () => {
  for (const env of [{}, { SVC_WORKER_RUNS: 'jobs' }])
    assert.match(findFaults(env)[0] ?? '', /^SMTP_URL and SVC_MAIL are not set\./, JSON.stringify(env));
  assert.match(findFaults({ SVC_MAIL: 'smtp' })[0] ?? '', /^SVC_MAIL is "smtp", but SMTP_URL is not set\./);
  for (const env of [{ SVC_WORKER_RUNS: 'feed' }, { SVC_MAIL: 'none' }, { SVC_MAIL: 'outbox' }, { SMTP_URL: 'smtp://127.0.0.1:25' }])
    assert.deepEqual(findFaults(env), [], JSON.stringify(env));
});

test('links in mails lead to the public address of the control plane, otherwise to its own address', () => {
  const readBaseUrl = (env: Record<string, string>): unknown => {
    const settings = readGiven({ SVC_MAIL: 'none', ...env });
    return 'faults' in settings ? settings.faults : settings.baseUrl;
  };
  assert.equal(readBaseUrl({}), 'http://127.0.0.1:4000');
  assert.equal(readBaseUrl({ HOST: '0.0.0.0', CONTROL_PLANE_PORT: '4001' }), 'http://127.0.0.1:4001');
  assert.equal(readBaseUrl({ HOST: '0.0.0.0', SVC_BASE_URL: 'https://governance.example' }), 'https://governance.example');
});
