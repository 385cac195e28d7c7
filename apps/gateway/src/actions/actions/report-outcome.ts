import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { reportOutcome as report } from '@svc/operations/actions/actions/report-outcome.ts';
import type { GatewayDeps } from '../../deps.ts';

export const reportOutcome: Handler<Endpoints['reportOutcome'], GatewayDeps> = (call) => {
  const { organizationId, agentId } = call.agent;
  const request = { organizationId, agentId, actionId: call.params.actionId, body: call.body, now: call.now };
  return call.change((change) => report(change, request));
};
