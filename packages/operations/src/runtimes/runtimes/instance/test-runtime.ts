import type { KeyObject } from 'node:crypto';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Connection, ObservedEvidence } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockRuntime, type RuntimeRow, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { TestedConnection } from '@svc/runtimes/kind.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import type { CallContext } from '../../../people/auth/acting.ts';
import type { PlaneUrls } from '../plane-urls.ts';
import { getInspectionTerms } from './inspection-terms.ts';
import { leaseApiKey, newSender, type OpenSender, openProof } from './open-instance.ts';

export type InstanceDeps = { readonly egress: Egress; readonly credentialKey: KeyObject; readonly urls: PlaneUrls };

type Emitted = 'integration.updated' | 'credential.issued';
/** Runs work in a transaction of its own, with its events. */
export type RunRuntimeChange<Types extends Emitted = Emitted> = <Result>(
  work: (change: Change<Types>) => Promise<Result>,
) => Promise<Result | Refusal>;

const DISCONNECTED = 'The runtime is disconnected: give it a new API key first.';

/** Tests the connection with a sender. */
export const askInstance = (sender: OpenSender, urls: PlaneUrls, now: Date): Promise<TestedConnection> | undefined => {
  const { inspection } = RUNTIME_KIND_ROWS[sender.runtime.kind];
  if (inspection.by !== 'instance') return undefined;
  return inspection.driver.test(
    newSender(sender, async () => undefined),
    getInspectionTerms(sender.runtime, urls),
    now,
  );
};

/** Stores the result of a test. An event is only written if the health changed. */
export const keepConnection = async (
  { tx, emit }: Change<'integration.updated'>,
  runtime: RuntimeRow,
  { health, detail, key }: TestedConnection,
  now: Date,
): Promise<void> => {
  const { organization_id, id } = runtime;
  await updateRuntimeRow(tx, organization_id, id, {
    ...{ health, health_detail: detail, health_at: now, key_facts: key && JSON.stringify(key), updated_at: now },
  });
  if (health === runtime.health) return;
  const isWorse = health === 'UNAUTHORIZED' || health === 'UNREACHABLE' || health === 'DEGRADED';
  emit('integration.updated', {
    ...about.runtime(runtime),
    ...(isWorse ? { severity: 'warning' as const } : {}),
    data: { name: runtime.name, health: { from: runtime.health, to: health }, detail },
  });
};

export type TestedRuntime = Connection & {
  readonly tested_at: string;
  readonly evidence: ObservedEvidence[];
  readonly remedy: string | null;
};

/** Tests the connection to an instance: one transaction before anything is sent, none while it is asked, and one after. */
export const testRuntime = async (
  changing: RunRuntimeChange,
  { scope, now, runtimeId }: CallContext & { readonly runtimeId: string },
  { egress, credentialKey, urls }: InstanceDeps,
): Promise<TestedRuntime | Refusal> => {
  const { organization_id } = scope;
  const begun = await changing(async (change) => {
    const runtime = await lockRuntime(change.tx, organization_id, runtimeId);
    if (!runtime) return buildRefusal('NOT_FOUND');
    if (runtime.status === 'DISCONNECTED') return buildRefusal('INVALID_STATE_TRANSITION', DISCONNECTED);
    return leaseApiKey(change, runtime, 'RUNTIME_TEST', credentialKey);
  });
  if (isRefusal(begun)) return begun;
  const proof = openProof(begun);
  if (isRefusal(proof)) return proof;
  const tested = await askInstance({ egress, proof, runtime: begun.runtime }, urls, now);
  if (tested === undefined) return buildRefusal('UNPROCESSABLE');
  const kept = await changing(async (change) => {
    const runtime = await lockRuntime(change.tx, organization_id, runtimeId);
    // It changed during the test: the result is about another address or key.
    const isSame = runtime?.base_url === begun.runtime.base_url && runtime?.credential_id === begun.runtime.credential_id;
    if (runtime && isSame && runtime.status !== 'DISCONNECTED') await keepConnection(change, runtime, tested, now);
    return null;
  });
  if (isRefusal(kept)) return kept;
  const tested_at = now.toISOString();
  const evidence = tested.evidence.map(({ name, holds, source, detail }) => ({ name, holds, observed_at: tested_at, source, detail }));
  return { health: tested.health, detail: tested.detail, key: tested.key, tested_at, evidence, remedy: tested.remedy };
};
