import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { pino } from 'pino';
import S3rver from 's3rver';
import { newFeedMeter } from '../../feed/feed-meter.ts';
import { type RunningConsumers, runConsumers } from '../../feed/run-consumers.ts';
import { hasKafkaBroker, startKafkaBroker } from './kafka/kafka-broker.fixture.ts';
import { findKind, SINK_KINDS } from './kinds.ts';
import { openSinks, type Sinks } from './open-sinks.ts';

/** A real destination, and the ids of its events in order. */
type Destination = {
  readonly url: string;
  readonly ids: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
  /** Restarts it at the same address with its data. */
  readonly start: () => Promise<void>;
};

const home = mkdtempSync(path.join(tmpdir(), 'svc-sinks-'));

const NATS_SERVER = spawnSync('nats-server', ['--version']).status === 0 ? 'nats-server' : undefined;

const openNats = async (): Promise<Destination> => {
  const port = await freePort();
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn(
      NATS_SERVER ?? '',
      ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', path.join(home, 'nats'), '--user', 'u', '--pass', 'p'],
      {
        stdio: 'ignore',
      },
    );
    await waitUntil(
      'NATS answers',
      async () => (await Promise.allSettled([reach().then((client) => client.close())]))[0]?.status === 'fulfilled',
    );
  };
  const reach = () => connectNats({ servers: `127.0.0.1:${port}`, user: 'u', pass: 'p', timeout: 2_000 });
  await start();
  const client = await reach();
  await (await jetstreamManager(client)).streams.add({ name: 'governance', subjects: ['governance.events.>'] });
  await client.close();
  const ids = async (): Promise<readonly string[]> => {
    const reading = await reach();
    const manager = await jetstreamManager(reading);
    const { state } = await manager.streams.info('governance');
    const consumer = await jetstream(reading).consumers.get('governance');
    const found: string[] = [];
    for (let n = 0; n < state.messages; n += 1) {
      const message = await consumer.next({ expires: 2_000 });
      if (message !== null) found.push(message.json<{ id: string }>().id);
    }
    await reading.close();
    return found;
  };
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  };
  return { url: `nats://u:p@127.0.0.1:${port}/governance.events`, ids, stop, start };
};

const openS3 = async (): Promise<Destination> => {
  const port = await freePort();
  const directory = path.join(home, 's3');
  let server: { close: () => Promise<void> };
  const start = async (): Promise<void> => {
    const made = new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'events', configs: [] }] });
    await made.run();
    server = made as unknown as { close: () => Promise<void> };
  };
  await start();
  const ids = async (): Promise<readonly string[]> =>
    readdirSync(path.join(directory, 'events'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ndjson._S3rver_object'))
      .sort()
      .flatMap((file) =>
        readFileSync(path.join(directory, 'events', file), 'utf8')
          .trimEnd()
          .split('\n'),
      )
      .map((line) => (JSON.parse(line) as { id: string }).id);
  return { url: `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/events/audit?region=us-east-1`, ids, start, stop: () => server.close() };
};

type LogRequest = {
  readonly resourceLogs: readonly [
    { readonly scopeLogs: readonly [{ readonly logRecords: readonly { readonly body: { readonly stringValue: string } }[] }] },
  ];
};

const openOtlp = async (): Promise<Destination> => {
  const received: string[] = [];
  let isOpen = true;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isKnown = request.headers.authorization === `Basic ${Buffer.from('u:p').toString('base64')}` && request.url === '/v1/logs';
    if (isOpen && isKnown) {
      const sent = JSON.parse(Buffer.concat(chunks).toString('utf8')) as LogRequest;
      for (const { body } of sent.resourceLogs[0].scopeLogs[0].logRecords)
        received.push((JSON.parse(body.stringValue) as { id: string }).id);
    }
    response.writeHead(isOpen ? (isKnown ? 200 : 401) : 503, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = (value: boolean) => async (): Promise<void> => {
    isOpen = value;
  };
  return { url: `otlp+http://u:p@127.0.0.1:${port}/v1/logs`, ids: async () => received, stop: open(false), start: open(true) };
};

const openKafka = async (): Promise<Destination> => {
  const { url, read, stop, start, remove } = await startKafkaBroker();
  after(remove);
  const ids = async (): Promise<readonly string[]> =>
    (await read()).map(({ key, headers, value }) => {
      const { id, organization_id, type } = JSON.parse(value) as { id: string; organization_id: string; type: string };
      assert.deepEqual([key, headers], [organization_id, `event-id=${id},event-type=${type}`]);
      return id;
    });
  return { url, ids, stop, start };
};

/** Kinds whose server is not installed are skipped. */
const DESTINATIONS = { nats: NATS_SERVER && openNats, s3: openS3, otlp: openOtlp, kafka: hasKafkaBroker && openKafka } satisfies Readonly<
  Record<keyof typeof SINK_KINDS, (() => Promise<Destination>) | false | undefined>
>;

let database: FreshDatabase;
let owner: pg.Client;
const running: { readonly consumers: RunningConsumers; readonly sinks: Sinks; readonly pool: Database }[] = [];

const run = (url: string): void => {
  const pool = connect({ url: database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
  const sinks = openSinks({ urls: [url], egress: { allowCidrs: [], nameServers: [] }, clock: () => new Date() });
  const meter = newFeedMeter(
    sinks.consumers.map(({ name }) => name),
    Date.now,
  );
  running.push({ consumers: runConsumers({ database: pool, log: pino({ level: 'silent' }), meter }, sinks.consumers), sinks, pool });
};

const stops: (() => Promise<void>)[] = [];

const halt = async (): Promise<void> => {
  for (const { consumers, sinks, pool } of running.splice(0)) {
    await consumers.stop();
    await sinks.close();
    await pool.destroy();
  }
};

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
});
afterEach(async () => {
  await halt();
  for (const stop of stops.splice(0)) await stop();
});
after(async () => {
  await owner.end();
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

const write = (count: number): Promise<string[]> =>
  writeEvents(owner, { organizationId: 'org_1', subjects: Array.from({ length: count }, (_, n) => `agt_${n}`) });

for (const [name, open] of Object.entries(DESTINATIONS))
  describe(`sink ${name}`, { skip: open ? false : 'its server is not installed' }, () => {
    test('delivers every event in order, resumes, and loses none while its destination is unavailable', async () => {
      assert.ok(open);
      await owner.query('delete from feed_positions; delete from audit_events');
      const destination = await open();
      stops.push(destination.stop);
      const url = `${destination.url}${destination.url.includes('?') ? '&' : '?'}begins=first`;
      const written = await write(20);
      const has = (ids: readonly string[]) => async () => {
        const [outcome] = await Promise.allSettled([destination.ids()]);
        return outcome.status === 'fulfilled' && new Set(outcome.value).size === ids.length;
      };
      run(url);
      await waitUntil('all are there', has(written));
      assert.deepEqual(await destination.ids(), written);
      await halt();
      written.push(...(await write(5)));
      run(url);
      await waitUntil('the rest is there', has(written));
      assert.deepEqual(await destination.ids(), written);
      await destination.stop();
      written.push(...(await write(5)));
      await waitUntil('a delivery failed', async () => (await owner.query('select from feed_positions where failures > 0')).rowCount === 1);
      await destination.start();
      await waitUntil('nothing was lost', has(written));
      assert.deepEqual([...new Set(await destination.ids())], written);
      await halt();
    });
  });

test('every kind has an example that is valid, and reports what a URL lacks', () => {
  for (const { example } of Object.values(SINK_KINDS)) {
    const url = new URL(example);
    assert.equal(findKind(url)?.kind.fault(url), undefined, example);
    const bare = new URL(`${url.protocol}//${url.host}`);
    assert.equal(typeof findKind(bare)?.kind.fault(bare), 'string', example);
  }
  assert.equal(findKind(new URL('ftp://example')), undefined);
});
