import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { RiskDeps } from './deps.ts';
import { getRiskSettings } from './risk-settings/get-risk-settings.ts';
import { updateRiskSettings } from './risk-settings/update-risk-settings.ts';
import { listRiskSignals } from './risk-signals/list-risk-signals.ts';

/** One handler per row of this area of the control plane; one that is missing, or of another area, does not compile. */
export const riskHandlers: AreaHandlers<'control', 'risk', RiskDeps> = {
  listRiskSignals,
  getRiskSettings,
  updateRiskSettings,
};
