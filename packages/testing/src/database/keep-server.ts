import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import pg from 'pg';
import { testDataDir, USE_LOCK } from './hold-server.ts';
import { dropLeftovers } from './template.ts';

/** Runs as a process: starts the test database server and stops it when it was unused for a moment. */
const lookEveryMs = 250;
const idleLooksMax = 6;

const server = await startDatabaseServer({ dataDir: testDataDir, settings: { max_connections: '400' } });
const session = new pg.Client({ connectionString: server.ownerUrl, application_name: 'svc test keeper' });
session.on('error', () => process.exit(0));
await session.connect();

const isUnused = async (): Promise<boolean> =>
  (await session.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [USE_LOCK])).rows[0]?.alone ?? false;
const letIn = () => session.query('select pg_advisory_unlock($1)', [USE_LOCK]);

if (await isUnused()) {
  await dropLeftovers(session);
  await letIn();
}
for (let idleLooks = 0; idleLooks < idleLooksMax; ) {
  await sleep(lookEveryMs);
  const unused = await isUnused();
  idleLooks = unused ? idleLooks + 1 : 0;
  // The lock is held at the last poll: a process that comes now waits for the end of this server and then starts the next.
  if (unused && idleLooks < idleLooksMax) await letIn();
}
await server.stop();
process.exit(0);
