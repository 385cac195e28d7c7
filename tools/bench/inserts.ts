import pg from 'pg';
import type { JobReport } from './job.ts';
import { getPercentile } from './numbers.ts';

/** A load of the database alone: connections that each commit one row after the other. */
type InsertJob = { readonly url: string; readonly connections: number; readonly forMs: number; readonly bytes: number };
export type InsertReport = Pick<JobReport, 'answered' | 'tookMs' | 'p50Ms' | 'p99Ms'>;

const TABLE = 'bench.inserts';

const openClients = (url: string, connections: number): Promise<pg.Client[]> =>
  Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );

/** Inserts rows of the size of a recorded decision, each committed durably by itself, and nothing else. */
const runInserts = async ({ url, connections, forMs, bytes }: InsertJob): Promise<InsertReport> => {
  const clients = await openClients(url, connections);
  const [first] = clients;
  await first?.query(`create schema bench; create table ${TABLE} (id bigint generated always as identity primary key, body text not null)`);
  const body = 'x'.repeat(bytes);
  const took: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + forMs;
  const insertOn = async (client: pg.Client): Promise<void> => {
    for (let at = performance.now(); at < end; at = performance.now()) {
      await client.query({ name: 'insert_one', text: `insert into ${TABLE} (body) values ($1)`, values: [body] });
      took.push(performance.now() - at);
    }
  };
  await Promise.all(clients.map(insertOn));
  const tookMs = performance.now() - startedAt;
  await first?.query('drop schema bench cascade');
  await Promise.all(clients.map((client) => client.end()));
  took.sort((left, right) => left - right);
  return { answered: took.length, tookMs, p50Ms: getPercentile(took, 0.5), p99Ms: getPercentile(took, 0.99) };
};

/** Run as a process of its own, as the other loads are. */
process.on('message', (job: InsertJob) => {
  void runInserts(job).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
