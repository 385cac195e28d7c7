import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { authenticateCaller } from '@svc/http/admission/authenticate.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { newBatcher } from '@svc/postgres/recorder/batches/batcher.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';

/** CPU time of the calling process per call, in microseconds: `check` includes its database round trip, `roundTrip` is an empty one. */
export type CheckCost = { readonly name: string; readonly check: number; readonly roundTrip: number };

const CALLS = 20_000;
const WARM_UP = 10_000;
const CONCURRENCY = 16;

const run = async (calls: number, work: () => Promise<unknown>): Promise<void> => {
  let left = calls;
  const worker = async (): Promise<void> => {
    for (; left > 0; left -= 1) await work();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
};

const measureMicros = async (work: () => Promise<unknown>): Promise<number> => {
  await run(WARM_UP, work);
  const before = process.cpuUsage();
  await run(CALLS, work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
};

/** Returns a function that batches empty queries over the same connections as a check. */
const createRoundTrip = (identity: Database): (() => Promise<unknown>) => {
  const { add } = newBatcher<number, unknown>({
    ...{ rowsMax: 256, inFlightMax: 2, queueMax: 4_096, ownBatchRows: 16 },
    run: async (items) => {
      await identity.selectNoFrom(({ val }) => val(items.length).as('n')).execute();
      return items;
    },
  });
  return () => add(1);
};

/** Measures the CPU time to authenticate a session and an API key, without the HTTP request, in this process and on a fresh database. */
export const measureChecks = async (): Promise<readonly CheckCost[]> => {
  const database = await createFreshDatabase();
  const planes = await startPlanes({ gateways: 0, database });
  const { token } = await signUp(planes.controlUrl);
  const body = { name: 'bench', role_id: getBuiltInRole('admin').id };
  const key = await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', { token, body });
  const identity = connect({ url: database.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 4, timeoutMs: 10_000 });
  try {
    const limits = { idleTimeoutSeconds: 3_600 };
    const roundTrip = await measureMicros(createRoundTrip(identity));
    const measureCost = async (name: string, secret: string): Promise<CheckCost> => {
      const check = await measureMicros(() => authenticateCaller(identity, `Bearer ${secret}`, new Date(), limits));
      return { name, check, roundTrip };
    };
    return [await measureCost('a session', token), await measureCost('a key', key.token)];
  } finally {
    await identity.destroy();
    await planes.stop();
    await database.drop();
  }
};
