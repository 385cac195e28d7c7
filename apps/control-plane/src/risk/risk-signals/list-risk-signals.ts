import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { RiskSignal } from '@svc/contract/risk/risk-signals.ts';
import { SIGNAL_NAMES, SIGNAL_TABLE, type SignalName, type SignalRow } from '@svc/contract/risk/signal-table.ts';
import { readSignalPoints } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findRiskSettings } from '@svc/postgres/risk/risk-settings.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { RiskDeps } from '../deps.ts';

const shown = (name: SignalName, signals: Partial<Record<SignalName, number>>): RiskSignal => {
  const { family, points: default_points, history: needs_history, tags, description }: SignalRow = SIGNAL_TABLE[name];
  const { points, higher } = readSignalPoints({ signals }, name);
  return { name, family, points, higher_points: higher, default_points, needs_history, tags: [...tags], description };
};

export const listRiskSignals: Handler<Endpoints['listRiskSignals'], RiskDeps> = (call) => {
  const { environment_id } = call.query;
  if (environment_id === undefined) return SIGNAL_NAMES.map((name) => shown(name, {}));
  return readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const environment = await findEnvironment(tx, organization_id, environment_id);
    if (!environment) return call.refuse('NOT_FOUND');
    const chosen = (await findRiskSettings(tx, organization_id, environment.id))?.settings.signals ?? {};
    return SIGNAL_NAMES.map((name) => shown(name, chosen));
  });
};
