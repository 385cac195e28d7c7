import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMisnamedSettings } from './misnamed-settings.ts';
import { SETTING_NAMES } from './setting-names.ts';

test('a misspelled setting is reported with the likely one', () => {
  for (const [given, meant] of [
    ['GATWAY_PORT', 'GATEWAY_PORT'],
    ['GATEWYA_PORT', 'GATEWAY_PORT'],
    ['CONTROL_PLAN_PORT', 'CONTROL_PLANE_PORT'],
    ['SVC_EGRES_TIMEOUT_MS', 'SVC_EGRESS_TIMEOUT_MS'],
    ['DATADIR', 'DATA_DIR'],
    ['gateway_port', 'GATEWAY_PORT'],
    ['REDIS_URI', 'REDIS_URL'],
    ['SVC_MASTERKEY', 'SVC_MASTER_KEY'],
    ['SVC_LOG_LEVEL', 'LOG_LEVEL'],
    ['SVC_DATA_DIR', 'DATA_DIR'],
    ['SVC_GATEWAY_PORT', 'GATEWAY_PORT'],
    ['SVC_HOST', 'HOST'],
  ] as const)
    assert.deepEqual(listMisnamedSettings([given]), [`${given} is not recognized; did you mean ${meant}?`]);
});

test('an unknown name with the prefix of settings is reported, and names of other programs are not', () => {
  assert.deepEqual(listMisnamedSettings(['SVC_SPEED']), ['SVC_SPEED is not recognized: there is no setting with that name.']);
  const foreign = [
    'PORT',
    'HOSTNAME',
    'HOME',
    'PATH',
    'USER',
    'PWD',
    'SHELL',
    'LANG',
    'TERM',
    'NODE_ENV',
    'PGHOST',
    'XDG_DATA_DIRS',
    'LOGNAME',
  ];
  assert.deepEqual(listMisnamedSettings([...foreign, 'npm_config_loglevel', 'x'.repeat(10_000), `SVC_${'X'.repeat(100_000)}`]), []);
});

test('no name of a setting is reported, neither as the neighbour of another', () => {
  assert.deepEqual(listMisnamedSettings(SETTING_NAMES), []);
  assert.equal(new Set(SETTING_NAMES).size, SETTING_NAMES.length);
});
