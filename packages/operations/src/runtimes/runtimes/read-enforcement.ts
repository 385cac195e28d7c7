import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointResult } from '@svc/contract/rows/endpoint.ts';
import { enforcementAt } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { listAssessments } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import { buildEnforcementTerms } from '@svc/runtimes/kinds.ts';
import { observedEvidence } from './observed-evidence.ts';

const endOf = (observedAt: string, livesMs: number | null): string | null =>
  livesMs === null ? null : new Date(Date.parse(observedAt) + livesMs).toISOString();

/** Returns the latest assessment of a runtime with the evidence that it needs, and the history; undefined if there is no such runtime. */
export const readEnforcement = async (
  tx: TenantTransaction,
  organizationId: string,
  runtimeId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<EndpointResult<Endpoints['getRuntimeEnforcement']> | undefined> => {
  const runtime = await findRuntime(tx, organizationId, runtimeId);
  if (!runtime) return undefined;
  const key = { organization_id: organizationId, runtime_id: runtimeId };
  const observed = await observedEvidence(tx, runtime);
  const { ceiling, needs } = buildEnforcementTerms(runtime.kind, runtime.settings);
  const evidence = needs.map(({ name, livesMs, otherwise }) => {
    const found = observed.find((each) => each.name === name);
    return {
      name,
      holds: found?.holds ?? null,
      observed_at: found === undefined ? null : new Date(found.observed_at).toISOString(),
      ends_at: found === undefined ? null : endOf(found.observed_at, livesMs),
      otherwise_at_most: otherwise,
      run_id: found?.run_id ?? null,
      detail: found?.detail ?? 'It was never observed.',
    };
  });
  const { enforcement_reasons: reasons, assessed_at, enforcement_forecast: forecast } = runtime;
  const history = await listAssessments(tx, key, limit);
  return { latest: { status: enforcementAt(runtime, now), ceiling, reasons, assessed_at, evidence, forecast }, history };
};
