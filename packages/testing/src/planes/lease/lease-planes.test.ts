import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGoverned } from '../../agents/governed.ts';
import { call } from '../../people/client.ts';
import type { Planes } from '../start-planes.ts';
import { leasePlanes } from './lease-planes.ts';
import { type LeaseServer, serveLeases } from './serve-leases.ts';
import { LEASE_SOCKET } from './terms.ts';

let leases: LeaseServer;
before(async () => {
  leases = await serveLeases();
  process.env[LEASE_SOCKET] = leases.socketPath;
});
after(() => leases.close());

/** A lease before this one is returned gets other planes. */
const leasedAgain = async ({ controlUrl }: Planes): Promise<boolean> => {
  const next = await leasePlanes();
  try {
    return next.controlUrl === controlUrl;
  } finally {
    await next.stop();
  }
};

test('returned planes serve the next lease, and those with a changed database or a lost lessee never do', async () => {
  const first = await leasePlanes();
  const { act } = await newGoverned(first);
  assert.equal((await act({}, { gateway: 1 })).status, 200);
  await first.stop();
  assert.equal(await leasedAgain(first), true);

  const second = await leasePlanes();
  assert.equal(second.controlUrl, first.controlUrl);
  const owner = await second.database.client();
  await owner.query('alter table actions add column strange int');
  await owner.end();
  await second.stop();
  assert.equal(await leasedAgain(second), false);
  assert.equal(
    await call(second.controlUrl, 'GET', '/health/live').then(
      () => 'lives',
      () => 'stopped',
    ),
    'stopped',
  );
});
