import type { Endpoints } from '@svc/contract/endpoints.ts';
import { agentRisk, newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { describeBaseline, describeFamilies } from '@svc/domain/risk/conduct/describe-conduct.ts';
import { decodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import { resolveSettings } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import { computeRiskLevel, hasLearned } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readAgentRisk } from '@svc/postgres/risk/risk-events.ts';
import { findRiskSettings } from '@svc/postgres/risk/risk-settings.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { RiskDeps } from '../deps.ts';

export const getAgentRisk: Handler<Endpoints['getAgentRisk'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const agent = await findAgent(tx, organization_id, call.params.agentId);
    const environment = agent && (await findEnvironment(tx, organization_id, agent.environment_id));
    if (!agent || !environment) return call.refuse('NOT_FOUND');
    const { state, mutes, folded_through } = await readAgentRisk(tx, organization_id, agent.id, call.now);
    const conduct = (state && decodeConduct(state)) || newConduct();
    const { thresholds } = resolveSettings(environment.type, (await findRiskSettings(tx, organization_id, environment.id))?.settings ?? {});
    const nowMs = call.now.getTime();
    const risk = agentRisk(conduct, nowMs);
    return {
      agent_id: agent.id,
      risk,
      level: computeRiskLevel(thresholds, risk),
      families: describeFamilies(conduct, nowMs),
      baseline: describeBaseline(conduct),
      learning: !hasLearned(conduct, nowMs),
      mutes,
      folded_through,
    };
  });
