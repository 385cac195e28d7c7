import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { askDatabase } from '@svc/postgres/ask-database.ts';
import type { ControlDeps } from '../deps.ts';

export const controlReady: Handler<Endpoints['controlReady'], ControlDeps> = async (call, { database, identity, clock }) => {
  // A database that does not answer throws, which is DEPENDENCY_UNAVAILABLE on the wire.
  await Promise.all([askDatabase(database), askDatabase(identity), clock.measure()]);
  const unsure = clock.refusal();
  if (unsure) return call.refuse('DEPENDENCY_UNAVAILABLE', unsure.message, unsure.details);
  return { status: 'ok', checks: { database: 'ok', clock: 'ok' } };
};
