import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OwnServer, startOwnServer } from '@svc/testing/database/own-server.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { getPlaneEnvironment } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { startProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { getEnded, startProgram } from './start-program.ts';

let server: OwnServer;
before(async () => {
  server = await startOwnServer();
});
after(() => server.remove());

let isDown = false;
const beginOutage = async (): Promise<void> => {
  await server.stop();
  isDown = true;
};
const endOutage = async (): Promise<void> => {
  if (isDown) await server.start();
  isDown = false;
};

/** Sends a request while a process starts; undefined if nothing listens. */
const tryCall = async (url: string, method: string, route: string): Promise<TestResponse | undefined> => {
  const [outcome] = await Promise.allSettled([call(url, method, route)]);
  return outcome.status === 'fulfilled' ? outcome.value : undefined;
};

const PLANES = {
  'control-plane': { setting: 'CONTROL_PLANE_PORT', route: ['POST', '/v1/auth/login'] },
  gateway: { setting: 'GATEWAY_PORT', route: ['POST', '/gateway/v1/actions'] },
} as const;

describe('a program that starts without its database', () => {
  for (const [program, { setting, route }] of Object.entries(PLANES))
    test(`the ${program} answers as not ready, refuses requests with 503, and serves when the database is back`, async () => {
      await beginOutage();
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const started = startProgram(program, getPlaneEnvironment(server.database, { [setting]: String(port) }));
      try {
        await waitUntil('it answers', async () => (await tryCall(url, 'GET', '/health/live')) !== undefined);
        assert.equal((await call(url, 'GET', '/health/live')).status, 200);
        const ready = await call(url, 'GET', '/health/ready');
        assert.deepEqual([ready.status, ready.json.error.code], [503, 'DEPENDENCY_UNAVAILABLE']);
        assert.deepEqual(ready.json.error.details.checks, { database: 'unavailable' });
        const refused = await call(url, ...(route as [string, string]), { body: {} });
        assert.deepEqual([refused.status, refused.json.error.code], [503, 'DEPENDENCY_UNAVAILABLE'], refused.text);
        assert.equal(refused.json.error.request_id, refused.headers.get('x-request-id'));
        assert.ok(Number(refused.headers.get('retry-after')) >= 1);
        assert.equal((await call(url, 'GET', '/none')).status, 404);
        assert.match(started.output(), /^\{"waiting":"The database does not respond .*"\}\n$/);
        await endOutage();
        await waitUntil('it is ready', async () => (await tryCall(url, 'GET', '/health/ready'))?.status === 200);
        assert.notEqual((await call(url, ...(route as [string, string]), { body: {} })).status, 503);
        assert.match(started.output(), /"ready":true/);
        started.child.kill('SIGTERM');
        await getEnded(started.child);
        assert.equal(started.child.exitCode, 0, started.errors());
      } finally {
        started.child.kill('SIGKILL');
        await getEnded(started.child);
        await endOutage();
      }
    });

  test('the worker answers as not ready at the port of its metrics, and works when the database is back', async () => {
    await beginOutage();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const started = startProgram('worker', getPlaneEnvironment(server.database, { SVC_WORKER_METRICS: `127.0.0.1:${port}` }));
    try {
      await waitUntil('it answers', async () => (await tryCall(url, 'GET', '/health/live'))?.status === 200);
      assert.equal((await call(url, 'GET', '/health/ready')).status, 503);
      await endOutage();
      await waitUntil('it is ready', async () => (await tryCall(url, 'GET', '/health/ready'))?.status === 200);
    } finally {
      started.child.kill('SIGKILL');
      await getEnded(started.child);
      await endOutage();
    }
  });

  test('a waiting program ends at once when its parent ends', async () => {
    await beginOutage();
    const started = startProgram('gateway', getPlaneEnvironment(server.database));
    try {
      await waitUntil('it waits', () => started.output().includes('"waiting"') || started.child.exitCode !== null);
      assert.equal(started.child.exitCode, null, started.errors());
      started.child.disconnect();
      await getEnded(started.child);
      assert.equal(started.child.exitCode, 0);
    } finally {
      started.child.kill('SIGKILL');
      await endOutage();
    }
  });
});

describe('a program whose database refuses it exits with the remedy', () => {
  const withDatabase = (name: string) => {
    const url = new URL(server.database.url);
    return {
      ...getPlaneEnvironment(server.database),
      DATABASE_URL: url.href.replace(/\/\/[^@]*@/, '//').replace(url.pathname, `/${name}`),
    };
  };
  for (const program of ['gateway', 'control-plane', 'worker']) {
    test(`the ${program}: a database that does not exist`, async () => {
      await assert.rejects(startProcess(`apps/${program}/src/main.ts`, withDatabase('missing')), (error: Error) => {
        assert.match(error.message, /ended with 75 /);
        assert.match(error.message, /The server has no such database .*Correct the name in DATABASE_URL/);
        return true;
      });
    });

    test(`the ${program}: a password that is not the one of its role`, async () => {
      const environment = { ...getPlaneEnvironment(server.database), SVC_MASTER_KEY: randomBytes(32).toString('base64') };
      await assert.rejects(startProcess(`apps/${program}/src/main.ts`, environment), (error: Error) => {
        assert.match(error.message, /ended with 75 /);
        assert.match(error.message, /SVC_MASTER_KEY must be .*start again when that is done\./);
        return true;
      });
    });
  }
});
