import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { answerReady } from '@svc/http/plane/readiness.ts';
import type { ServiceDeps } from '../deps.ts';

export const controlReady: Handler<Endpoints['controlReady'], ServiceDeps> = async (_call, { readiness, clock, passportWatch, mailer }) => {
  const ready = await answerReady(readiness, clock);
  if (isRefusal(ready)) return ready;
  const isEnding = await passportWatch.isRenewalOverdue();
  // Neither keeps the plane from serving; both need somebody.
  const needed = { ...(isEnding && { passports: 'ending' }), ...(mailer?.failing() && { mail: 'failing' }) };
  return { ...ready, checks: { ...ready.checks, ...needed } };
};
