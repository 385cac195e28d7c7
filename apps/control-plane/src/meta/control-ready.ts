import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { askDatabase } from '@svc/postgres/ask-database.ts';
import type { ControlDeps } from '../deps.ts';

export const controlReady: Handler<Endpoints['controlReady'], ControlDeps> = async (_call, { database, identity, passportWatch }) => {
  // A database that does not answer throws, which is DEPENDENCY_UNAVAILABLE on the wire.
  await Promise.all([askDatabase(database), askDatabase(identity)]);
  const checks = (await passportWatch.isRenewalOverdue()) ? { database: 'ok', passports: 'ending' } : { database: 'ok' };
  return { status: 'ok', checks };
};
