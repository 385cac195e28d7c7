import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeService } from './announce.ts';
import type { StartedService } from './start-service.ts';

const service = (change: Partial<StartedService>): StartedService => ({
  controlUrl: 'http://127.0.0.1:4000',
  gatewayUrl: 'http://127.0.0.1:4100',
  audience: 'http://127.0.0.1:4100',
  setupUrl: undefined,
  warnings: [],
  sandboxOrigin: 'http://127.0.0.1:5000',
  hasOutbox: false,
  settings: {
    ...{ host: '127.0.0.1', controlPlanePort: 4000, gatewayPort: 4100, dataDir: '/data' },
    ...{ databaseUrl: undefined, masterKey: undefined, masterKeyFile: undefined, commandEnvironment: {} },
  },
  broken: new Promise(() => {}),
  ...change,
});

test('a start prints the audience of agents if it differs from the address of the gateway', () => {
  assert.doesNotMatch(describeService(service({}), 1), /sign for/);
  assert.match(describeService(service({ audience: 'https://agents.example' }), 1), /^ {2}Agents sign for {3}https:\/\/agents\.example$/m);
});

test('a start prints where mails can be read, if they stay on this machine', () => {
  assert.doesNotMatch(describeService(service({}), 1), /outbox/);
  assert.match(
    describeService(service({ hasOutbox: true }), 1),
    /^ {2}Mails {13}http:\/\/127\.0\.0\.1:4000\/outbox, or npm run ops -- outbox$/m,
  );
});
