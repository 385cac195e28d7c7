import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { listHeartbeats } from '@svc/postgres/runtimes/runtimes/runtime-heartbeats.ts';
import { type RuntimeRow, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { listNewestEvidence, type NewestEvidence } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import { readHeartbeats, type TimedEvidence } from '@svc/runtimes/workflow-automation-managed/bundle/read-heartbeats.ts';
import type { PlaneUrls } from './plane-urls.ts';

type Observed = Omit<NewestEvidence, 'run_id'> & { readonly run_id: string | null };
type Hooked = Pick<RuntimeRow, 'organization_id' | 'id' | 'evidence_since' | 'hook_observations'>;

/** Returns the newest observation of each name, of verification runs and of heartbeats. */
export const observedEvidence = async (tx: TenantTransaction, runtime: Hooked): Promise<Observed[]> => {
  const { organization_id, id: runtime_id, evidence_since, hook_observations } = runtime;
  const stored = await listNewestEvidence(tx, { organization_id, runtime_id }, evidence_since);
  const reported = hook_observations
    .filter(({ at }) => Date.parse(at) >= Date.parse(evidence_since))
    .map(({ at, name, holds, source, detail }): Observed => ({ name, holds, observed_at: at, run_id: null, detail, source }));
  const isNewest = ({ name, observed_at }: Observed): boolean =>
    !stored.some((each) => each.name === name && Date.parse(each.observed_at) >= Date.parse(observed_at));
  const fresh = reported.filter(isNewest);
  return [...stored.filter(({ name }) => !fresh.some((each) => each.name === name)), ...fresh];
};

/** Reads the heartbeats of a locked managed runtime, and stores what they show with it. */
export const refreshHook = async (
  tx: TenantTransaction,
  runtime: RuntimeRow,
  urls: PlaneUrls,
  now: Date,
): Promise<{ readonly runtime: RuntimeRow; readonly observations: readonly TimedEvidence[] }> => {
  if (runtime.kind !== 'WORKFLOW_AUTOMATION_MANAGED') return { runtime, observations: [] };
  const { organization_id, id, agent_id, settings, evidence_since } = runtime;
  const beats = await listHeartbeats(tx, { organization_id, runtime_id: id }, evidence_since);
  const terms = { gatewayUrl: urls.gateway, controlUrl: urls.base, runtimeId: id, agentId: agent_id, settings };
  const observations = readHeartbeats(terms, beats, now);
  await updateRuntimeRow(tx, organization_id, id, { hook_observations: JSON.stringify(observations) });
  return { runtime: { ...runtime, hook_observations: [...observations] }, observations };
};
