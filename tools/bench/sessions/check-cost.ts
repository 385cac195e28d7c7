import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { authenticateCaller } from '@svc/http/admission/authenticate.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { newBatcher } from '@svc/postgres/recorder/batches/batcher.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';

/** Processor time of the requesting process in microseconds: of a check with its round trip, and of an empty round trip. */
export type CheckCost = { readonly name: string; readonly check: number; readonly roundTrip: number };

const CALLS = 20_000;
const WARM_UP = 10_000;
const AT_ONCE = 16;

const run = async (calls: number, work: () => Promise<unknown>): Promise<void> => {
  let left = calls;
  const worker = async (): Promise<void> => {
    for (; left > 0; left -= 1) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

const readMicros = async (work: () => Promise<unknown>): Promise<number> => {
  await run(WARM_UP, work);
  const before = process.cpuUsage();
  await run(CALLS, work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
};

/** Groups empty queries over the same connections as a check. */
const newRoundTrip = (identity: Database): (() => Promise<unknown>) => {
  const { add } = newBatcher<number, unknown>({
    ...{ rowsMax: 256, inFlightMax: 2, queueMax: 4_096, ownBatchRows: 16 },
    run: async (items) => {
      await identity.selectNoFrom(({ val }) => val(items.length).as('n')).execute();
      return items;
    },
  });
  return () => add(1);
};

/** Measures the cost of authenticating a session and a key without the request around it; in this process, on a database of its own. */
export const measureChecks = async (): Promise<readonly CheckCost[]> => {
  const database = await createFreshDatabase();
  const planes = await startPlanes({ gateways: 0, database });
  const { token } = await signUp(planes.controlUrl);
  const body = { name: 'bench', role_id: getBuiltInRole('admin').id };
  const key = await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', { token, body });
  const identity = connect({ url: database.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 4, timeoutMs: 10_000 });
  try {
    const limits = { idleTimeoutSeconds: 3_600 };
    const roundTrip = await readMicros(newRoundTrip(identity));
    const readCost = async (name: string, secret: string): Promise<CheckCost> => {
      const check = await readMicros(() => authenticateCaller(identity, `Bearer ${secret}`, new Date(), limits));
      return { name, check, roundTrip };
    };
    return [await readCost('a session', token), await readCost('a key', key.token)];
  } finally {
    await identity.destroy();
    await planes.stop();
    await database.drop();
  }
};
