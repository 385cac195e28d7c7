import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { SETTING_TABLE } from '@svc/contract/tables/settings.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';

const run = (env: Record<string, string>) => {
  const file = path.join(import.meta.dirname, 'config.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { env: getPersonsEnvironment(env), encoding: 'utf8' });
  const cells = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  return { status, stdout, stderr, rows: new Map(cells.map(([name, ...rest]) => [name, rest])) };
};

describe('npm run ops -- config', () => {
  test('prints every setting with its value and its source, and no secret', () => {
    const { status, stdout, stderr, rows } = run({
      GATEWAY_PORT: ' 4200 ',
      DATABASE_URL: 'postgres://owner:hunter2@db/governance',
      SVC_EGRESS_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8',
      SVC_RATE_GATEWAY_TOKEN_PER_MINUTE: '120',
      HOST: '0.0.0.0',
      SMTP_URL: 'smtp://mailer:hunter2@mail.example',
    });
    assert.deepEqual([...rows.keys()], Object.keys(SETTING_TABLE));
    assert.deepEqual(rows.get('CONTROL_PLANE_PORT'), ['4000', 'default']);
    assert.deepEqual(rows.get('GATEWAY_PORT'), ['4200', 'environment']);
    assert.deepEqual(rows.get('DATABASE_URL'), ['(not shown)', 'environment']);
    assert.deepEqual(rows.get('REDIS_URL'), ['-', 'default']);
    assert.deepEqual(rows.get('SVC_EGRESS_ALLOW_CIDRS'), ['10.0.0.0/8,fd00::/8', 'environment']);
    assert.deepEqual(rows.get('SVC_SIGNUP'), ['closed', 'other settings']);
    assert.deepEqual(rows.get('SMTP_URL'), ['(not shown)', 'environment']);
    assert.deepEqual(rows.get('SVC_MAIL'), ['smtp', 'other settings']);
    assert.deepEqual(rows.get('SVC_RATE_ADDRESS_PER_MINUTE'), ['6000 (control-plane), 12000 (gateway)', 'other settings']);
    assert.ok(!stdout.includes('hunter2'));
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('reports faulty settings of any program, and exits with 1', () => {
    const { status, stdout, stderr, rows } = run({
      CONTROL_PLANE_PORT: '4100',
      MAX_LOGIN_ATTEMPTS: '0',
      SVC_MASTER_KEY: 'hunter2',
      SVC_GATEWAY_METRICS: 'everywhere',
      GATWAY_PORT: '4200',
    });
    assert.deepEqual(rows.get('MAX_LOGIN_ATTEMPTS'), ['10', 'environment (invalid)']);
    for (const sentence of [
      'MAX_LOGIN_ATTEMPTS is "0", but must be a whole number from 1 to 1000; unset it for 10.',
      'SVC_MASTER_KEY: The master key must be',
      'SVC_GATEWAY_METRICS is "everywhere", but must be an address to listen on',
      'CONTROL_PLANE_PORT and GATEWAY_PORT are both 4100',
      'GATWAY_PORT is not recognized; did you mean GATEWAY_PORT?',
    ])
      assert.ok(stderr.includes(sentence), stderr);
    assert.ok(!`${stdout}${stderr}`.includes('hunter2'));
    assert.equal(status, 1);
  });
});
