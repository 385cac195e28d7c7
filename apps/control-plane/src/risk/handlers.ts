import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { declareToolFlow } from './contexts/declare-tool-flow.ts';
import { declassifyContext } from './contexts/declassify-context.ts';
import { getToolFlow } from './contexts/get-tool-flow.ts';
import { listFlowContexts } from './contexts/list-flow-contexts.ts';
import type { RiskDeps } from './deps.ts';
import { acknowledgeRiskEvent } from './risk-events/acknowledge-risk-event.ts';
import { getAgentRisk } from './risk-events/get-agent-risk.ts';
import { getRiskEvent } from './risk-events/get-risk-event.ts';
import { listRiskEvents } from './risk-events/list-risk-events.ts';
import { summarizeRiskEvents } from './risk-events/summarize-risk-events.ts';
import { countRiskScores } from './risk-settings/count-risk-scores.ts';
import { getRiskSettings } from './risk-settings/get-risk-settings.ts';
import { updateRiskSettings } from './risk-settings/update-risk-settings.ts';
import { listRiskSignals } from './risk-signals/list-risk-signals.ts';
import { addTrustEvidence } from './trust/add-trust-evidence.ts';
import { createTrustProvider } from './trust/create-trust-provider.ts';
import { disableTrustProvider } from './trust/disable-trust-provider.ts';
import { getAgentTrust } from './trust/get-agent-trust.ts';
import { getEnvironmentTrust } from './trust/get-environment-trust.ts';
import { getToolTrust } from './trust/get-tool-trust.ts';
import { getTrustEvidence } from './trust/get-trust-evidence.ts';
import { getTrustProvider } from './trust/get-trust-provider.ts';
import { listTrustEvidence } from './trust/list-trust-evidence.ts';
import { listTrustProviders } from './trust/list-trust-providers.ts';
import { requireEnvironmentTrust } from './trust/require-environment-trust.ts';
import { requireToolTrust } from './trust/require-tool-trust.ts';
import { revokeTrustEvidence } from './trust/revoke-trust-evidence.ts';
import { setAgentArtifacts } from './trust/set-agent-artifacts.ts';
import { verifyTrustEvidence } from './trust/verify-trust-evidence.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const riskHandlers: AreaHandlers<'control', 'risk', RiskDeps> = {
  getToolFlow,
  declareToolFlow,
  listFlowContexts,
  declassifyContext,
  listRiskSignals,
  listRiskEvents,
  summarizeRiskEvents,
  getRiskEvent,
  acknowledgeRiskEvent,
  getAgentRisk,
  getRiskSettings,
  countRiskScores,
  updateRiskSettings,
  listTrustProviders,
  createTrustProvider,
  getTrustProvider,
  disableTrustProvider,
  listTrustEvidence,
  addTrustEvidence,
  verifyTrustEvidence,
  getTrustEvidence,
  revokeTrustEvidence,
  getAgentTrust,
  setAgentArtifacts,
  getEnvironmentTrust,
  requireEnvironmentTrust,
  getToolTrust,
  requireToolTrust,
};
