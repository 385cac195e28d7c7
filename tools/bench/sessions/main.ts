import { Agent, request } from 'node:http';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { getFamilyMicros, getProcessMicros } from '../processor-time.ts';
import { type BenchService, type CleanupSteps, startService } from '../service.ts';
import { measureChecks } from './check-cost.ts';

/**
 * npm run bench -- sessions
 *
 * Measures the cost of authentication. Nothing is cached, so every check is one round trip to the database, shared by concurrent checks;
 * reported is the processor time of the plane and of the database per request, compared with a request without authentication, and of a
 * check by itself, compared with an empty round trip.
 */
endOnOtherWords(
  `Measures what it costs to know who asks, in processor time of the plane and of the database:

    npm run bench -- sessions`,
);
const REQUESTS = 8_000;
const AT_ONCE = 16;

type Load = { readonly name: string; readonly path: string; readonly token: string | undefined };

const send = (agent: Agent, base: string, { path, token }: Load): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    request(`${base}${path}`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });

const drive = async (base: string, load: Load, count: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send(agent, base, load);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
};

type Cost = { readonly plane: number; readonly database: number };

/** Returns the microseconds of processor time per request. */
const readCost = async ({ controlUrl, controlPid, postgresPid }: BenchService, load: Load): Promise<Cost> => {
  await drive(controlUrl, load, REQUESTS / 4);
  const before = { plane: getProcessMicros(controlPid), database: getFamilyMicros(postgresPid) };
  await drive(controlUrl, load, REQUESTS);
  return {
    plane: (getProcessMicros(controlPid) - before.plane) / REQUESTS,
    database: (getFamilyMicros(postgresPid) - before.database) / REQUESTS,
  };
};

const undo: CleanupSteps = [];
try {
  const service = await startService(undo);
  const { token } = await signUp(service.controlUrl);
  const body = { name: 'bench', role_id: getBuiltInRole('admin').id };
  const key = await mustCall(service.controlUrl, 'POST', '/v1/api-keys', { token, body });
  const loads: readonly Load[] = [
    { name: 'nobody: GET /', path: '/', token: undefined },
    { name: 'a session: GET /v1/meta/info', path: '/v1/meta/info', token },
    { name: 'a key: GET /v1/meta/info', path: '/v1/meta/info', token: key.token },
    { name: 'a session: GET /v1/organization', path: '/v1/organization', token },
  ];
  let nobody: Cost | undefined;
  for (const load of loads) {
    const cost = await readCost(service, load);
    nobody ??= cost;
    const more = (cost.plane - nobody.plane).toFixed(0);
    console.log(
      `${load.name.padEnd(34)} plane ${cost.plane.toFixed(0).padStart(4)} µs (${more} more), database ${cost.database.toFixed(0)} µs`,
    );
  }
  for (const { name, check, roundTrip } of await measureChecks()) {
    const beside = `${(check - roundTrip).toFixed(0)} µs beside its round trip`;
    console.log(`${`the check of ${name} alone`.padEnd(34)} process ${check.toFixed(0).padStart(2)} µs (${beside})`);
  }
} finally {
  for (const each of undo.toReversed()) await each();
}
