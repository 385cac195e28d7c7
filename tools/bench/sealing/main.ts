import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stepFeed } from '@svc/postgres/audit/feed-positions.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { startOwnServer } from '@svc/testing/database/own-server.ts';
import { newSealing } from '@svc/worker/feed/seal-events.ts';
import { pino } from 'pino';
import { familyMicros } from '../processor-time.ts';
import { writeActions } from './write-actions.ts';

/**
 * npm run bench:sealing [-- <events>]: what it costs to seal the events of decisions, in processor time of the worker and of the database for
 * each event, and how many a second one worker comes to; with a few organizations and with many.
 */
const EVENTS = Number(process.argv[2] ?? 100_000);
const ASKED_PER_SECOND = 8_000;

const server = await startOwnServer();
const owner = await server.database.client();
const { rows } = await owner.query('select pg_backend_pid() as pid');
const postgresPid = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'latin1'))?.[1]);
const reader = connect({ url: server.database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
const key = generateKeyPairSync('ed25519');
const sealing = newSealing(
  { installationId: 'bench', signingKey: key.privateKey, acceptedKeys: [key.publicKey] },
  pino({ level: 'silent' }),
);
await owner.query("insert into feed_positions (consumer, transaction_id, id) values ('seal-events', '0', '')");

const micros = () => ({ worker: process.cpuUsage(), database: familyMicros(postgresPid) });

const sealAll = async (): Promise<number> => {
  let count = 0;
  for (;;) {
    const taken = await stepFeed(reader, { consumer: sealing.name, take: sealing.take });
    if (taken === undefined || taken.count === 0) return count;
    count += taken.count;
  }
};
try {
  for (const organizations of (process.env.ORGS ?? '5,5,500').split(',').map(Number)) {
    await writeActions(owner, { actions: EVENTS / 2, organizations });
    const before = micros();
    const begun = performance.now();
    const sealed = await sealAll();
    const seconds = (performance.now() - begun) / 1_000;
    const cpu = process.cpuUsage(before.worker);
    const worker = (cpu.user + cpu.system) / sealed;
    const database = (familyMicros(postgresPid) - before.database) / sealed;
    console.log(
      `${organizations} organizations: ${Math.round(sealed / seconds)} events/s (asked ${ASKED_PER_SECOND}), per event ${worker.toFixed(1)} us of the worker and ${database.toFixed(1)} us of PostgreSQL`,
    );
  }
} finally {
  await reader.destroy();
  await owner.end();
  await server.remove();
}
