import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import { failClosed } from '@svc/enforcement/fail-closed.ts';
import type { Handler } from '@svc/http/call.ts';
import { databaseAnswers } from '@svc/postgres/database-answers.ts';
import type { GatewayDeps } from '../deps.ts';

export const gatewayReady: Handler<Endpoints['gatewayReady'], GatewayDeps> = async (call, deps) => {
  const { clock, pipeline } = deps;
  const ask = () => Promise.all([databaseAnswers(call.database), clock.measure()]);
  const answers = await failClosed('DEPENDENCY_UNAVAILABLE', pipeline.onBreakage, ask);
  if (isRefusal(answers)) return call.refuse('DEPENDENCY_UNAVAILABLE');
  return clock.refusal() ?? { status: 'ready', checks: { database: 'ok', clock: 'ok' } };
};
