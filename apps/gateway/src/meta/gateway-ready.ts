import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import { failClosed } from '@svc/enforcement/fail-closed.ts';
import type { Handler } from '@svc/http/call.ts';
import { databaseAnswers } from '@svc/postgres/database-answers.ts';
import type { GatewayDeps } from '../deps.ts';

export const gatewayReady: Handler<Endpoints['gatewayReady'], GatewayDeps> = async (call, deps) => {
  const answers = await failClosed('DEPENDENCY_UNAVAILABLE', deps.pipeline, call, () => databaseAnswers(call.database));
  return isRefusal(answers) ? call.refuse('DEPENDENCY_UNAVAILABLE') : { status: 'ready', checks: { database: 'ok' } };
};
