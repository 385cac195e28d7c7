import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeService } from './announce.ts';
import type { Service } from './start-service.ts';

const service = (change: Partial<Service>): Service => ({
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

test('a start tells the address that agents sign for where it is another than the gateway listens at', () => {
  assert.doesNotMatch(describeService(service({}), 1), /sign for/);
  assert.match(describeService(service({ audience: 'https://agents.example' }), 1), /^ {2}Agents sign for {3}https:\/\/agents\.example$/m);
});

test('a start tells where mails are to be read, where they stay on this machine', () => {
  assert.doesNotMatch(describeService(service({}), 1), /outbox/);
  assert.match(
    describeService(service({ hasOutbox: true }), 1),
    /^ {2}Mails {13}http:\/\/127\.0\.0\.1:4000\/outbox, or npm run ops -- outbox$/m,
  );
});
