import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildReachableUrl } from '@svc/program/settings/reachable-url.ts';
import { readLauncherSettings } from './settings.ts';

const read = (env: Record<string, string>) => readLauncherSettings(env, '/project');

describe('the settings of a start', () => {
  test('all have a default', () => {
    assert.deepEqual(read({}), {
      settings: {
        host: '127.0.0.1',
        controlPlanePort: 4000,
        gatewayPort: 4100,
        dataDir: '/project/.data',
        databaseUrl: undefined,
        masterKey: undefined,
        masterKeyFile: undefined,
        commandEnvironment: {},
      },
      faults: [],
    });
  });

  test('with faults are all reported at once, each with its remedy and none with a secret', () => {
    const { faults } = read({
      CONTROL_PLANE_PORT: '4000x',
      GATEWAY_PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter2@host/db',
      REDIS_URL: 'hunter2',
      SVC_MASTER_KEY: 'aHVudGVyMg==',
    });
    assert.equal(faults.length, 5);
    assert.match(faults[0] ?? '', /CONTROL_PLANE_PORT is "4000x", but must be a whole number from 0 to 65535; unset it for 4000\./);
    assert.match(faults[1] ?? '', /GATEWAY_PORT is "70000"/);
    assert.ok(faults.every((fault) => !fault.includes('hunter2') && !fault.includes('aHVudGVyMg')));
  });

  test('accept no ~ for a home folder, which only shells expand, and a folder of that name if it is meant', () => {
    for (const folder of ['~', '~/data', '~alice/data'])
      assert.match(read({ DATA_DIR: folder }).faults.join(), /^DATA_DIR is "~\S*", but ~ was not expanded\. .*\$HOME/);
    for (const folder of ['./~', '/data/~/x', 'x~']) assert.deepEqual(read({ DATA_DIR: folder }).faults, []);
  });

  test('with an invalid port do not fall back to the default, which the other plane may use', () => {
    assert.deepEqual(read({ CONTROL_PLANE_PORT: 'many', GATEWAY_PORT: '4000' }).faults.length, 1);
  });

  test('give the two planes two ports', () => {
    assert.match(read({ CONTROL_PLANE_PORT: '4100' }).faults.join(), /CONTROL_PLANE_PORT and GATEWAY_PORT are both 4100/);
    assert.deepEqual(read({ CONTROL_PLANE_PORT: '0', GATEWAY_PORT: '0' }).faults, []);
  });

  test('accept a PostgreSQL address over a unix socket', () => {
    const databaseUrl = 'postgres://owner:secret@/postgres?host=/run/postgresql';
    const { settings, faults } = read({ DATABASE_URL: databaseUrl, DATA_DIR: ' /srv/data ' });
    assert.deepEqual(faults, []);
    assert.deepEqual([settings.databaseUrl, settings.dataDir], [databaseUrl, '/srv/data']);
  });
});

test('a plane that listens on every address is reached over the loopback one', () => {
  assert.equal(buildReachableUrl('0.0.0.0', 4000), 'http://127.0.0.1:4000');
  assert.equal(buildReachableUrl('::1', 4000), 'http://[::1]:4000');
  assert.equal(buildReachableUrl('governance.example', 80), 'http://governance.example:80');
});
