import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';

const getSample = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

test('a worker reports the size of the database as the database does', async () => {
  const database = await createFreshDatabase();
  const owner = await database.client();
  const port = await freePort();
  const worker = await startWorker(database, { SVC_WORKER_METRICS: `127.0.0.1:${port}` });
  try {
    let told = Number.NaN;
    for (let tries = 0; Number.isNaN(told) && tries < 100; tries += 1) {
      told = getSample(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'svc_database_bytes');
      await sleep(50);
    }
    const { rows } = await owner.query('select pg_database_size(current_database())::float8 as bytes');
    assert.ok(Math.abs(told - rows[0].bytes) < 1_000_000, `${told} of ${rows[0].bytes}`);
  } finally {
    await worker.stop();
    await owner.end();
    await database.drop();
  }
});
