import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { answerReady } from '@svc/http/plane/readiness.ts';
import type { ServiceDeps } from '../deps.ts';

export const controlReady: Handler<Endpoints['controlReady'], ServiceDeps> = async (_call, { readiness, clock, checks }) => {
  const ready = await answerReady(readiness, clock);
  if (isRefusal(ready)) return ready;
  const [isRenewalOverdue, isMailFailing] = [await checks.isRenewalOverdue(), await checks.isMailFailing()];
  // Neither stops the plane from serving; both need the operator.
  const needed = { ...(isRenewalOverdue && { passports: 'ending' }), ...(isMailFailing && { mail: 'failing' }) };
  return { ...ready, checks: { ...ready.checks, ...needed } };
};
