import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLauncherSettings } from './settings.ts';

const getShared = (env: Readonly<Record<string, string>>): readonly string[] =>
  readLauncherSettings(env, '/').faults.filter((fault) => fault.includes(' are both '));

test('each pair of listeners with the same port is reported, for any settings', () => {
  assert.deepEqual(getShared({ CONTROL_PLANE_PORT: '5000', GATEWAY_PORT: '5000' }), [
    'CONTROL_PLANE_PORT and GATEWAY_PORT are both 5000: give each a port of its own.',
  ]);
  assert.deepEqual(getShared({ CONTROL_PLANE_PORT: '5000', SVC_CONTROL_METRICS: '127.0.0.1:5000', SVC_WORKER_METRICS: '9465' }), [
    'CONTROL_PLANE_PORT and SVC_CONTROL_METRICS are both 5000: give each a port of its own.',
  ]);
  assert.deepEqual(
    getShared({ HOST: '0.0.0.0', GATEWAY_PORT: '5001', SVC_GATEWAY_METRICS: '5002', SVC_WORKER_METRICS: '127.0.0.1:5001' }),
    ['GATEWAY_PORT and SVC_WORKER_METRICS are both 5001: give each a port of its own.'],
  );
});

test('ports on two addresses, and port 0, are accepted', () => {
  assert.deepEqual(getShared({ CONTROL_PLANE_PORT: '0', GATEWAY_PORT: '0' }), []);
  assert.deepEqual(getShared({ HOST: '127.0.0.2', GATEWAY_PORT: '5001', SVC_WORKER_METRICS: '127.0.0.1:5001' }), []);
});
