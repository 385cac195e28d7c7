import type { Endpoints } from '@svc/contract/endpoints.ts';
import { agentRisk } from '@svc/domain/risk/conduct/conduct.ts';
import { decodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { summarizeRiskEvents as summarize } from '@svc/postgres/risk/summarize-risk-events.ts';
import type { RiskDeps } from '../deps.ts';

export const summarizeRiskEvents: Handler<Endpoints['summarizeRiskEvents'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { agents, signals } = await summarize(tx, call.scope.organization_id, call.query.environment_id);
    const nowMs = call.now.getTime();
    return {
      agents: agents.map(({ state, ...agent }) => {
        const conduct = state === null ? undefined : decodeConduct(state);
        return { ...agent, risk: conduct === undefined ? 0 : agentRisk(conduct, nowMs) };
      }),
      signals,
    };
  });
