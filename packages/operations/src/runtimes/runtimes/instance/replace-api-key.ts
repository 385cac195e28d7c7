import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  type CountedRuntime,
  findRuntime,
  lockRuntime,
  type RuntimeRow,
  updateRuntimeRow,
} from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { TestedConnection } from '@svc/runtimes/kind.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import { rotateCredential } from '../../../credentials/credentials/rotate-credential.ts';
import type { CallContext } from '../../../people/auth/acting.ts';
import { createApiKey } from '../store-api-key.ts';
import { getProofForKey } from './open-instance.ts';
import { askInstance, type InstanceDeps } from './test-runtime.ts';

type Emitted = EmittedBy<Endpoints['replaceRuntimeApiKey']>;
type Changing = <Result>(work: (change: Change<Emitted>) => Promise<Result>) => Promise<Result | Refusal>;
type ReplaceRequest = CallContext & { readonly runtimeId: string; readonly body: EndpointBody<Endpoints['replaceRuntimeApiKey']> };

const NO_INSTANCE = 'This kind of runtime has no API key: it is seen through reports.';
const REFUSED = 'The instance refused the key, which was not stored.';

const read = async ({ tx }: Change<Emitted>, { scope, runtimeId }: ReplaceRequest): Promise<RuntimeRow | Refusal> => {
  const runtime = await lockRuntime(tx, scope.organization_id, runtimeId);
  if (!runtime) return buildRefusal('NOT_FOUND');
  const { inspection } = RUNTIME_KIND_ROWS[runtime.kind];
  return inspection.by === 'instance' && runtime.base_url !== null ? runtime : buildRefusal('UNPROCESSABLE', NO_INSTANCE);
};

const keep = async (
  change: Change<Emitted>,
  request: ReplaceRequest,
  tested: TestedConnection | undefined,
  { credentialKey }: InstanceDeps,
): Promise<CountedRuntime | Refusal> => {
  const { scope, now, body, runtimeId } = request;
  const { organization_id } = scope;
  const runtime = await read(change, request);
  if (isRefusal(runtime)) return runtime;
  const { credential_id } = runtime;
  const stored =
    credential_id === null
      ? await createApiKey(change, request, runtime, body.api_key, credentialKey)
      : await rotateCredential(change, { ...request, credentialId: credential_id, body: { secret: body.api_key } }, { credentialKey });
  if (isRefusal(stored)) return stored;
  const isConnected = runtime.status === 'DISCONNECTED';
  await updateRuntimeRow(change.tx, organization_id, runtimeId, {
    credential_id: typeof stored === 'string' ? stored : stored.id,
    status: isConnected ? 'ACTIVE' : runtime.status,
    ...(tested === undefined
      ? { health: 'UNKNOWN', health_detail: 'The key was not tested.', health_at: null, key_facts: null }
      : { health: tested.health, health_detail: tested.detail, health_at: now, key_facts: tested.key && JSON.stringify(tested.key) }),
    ...{ next_verification_at: now, updated_at: now },
    // Evidence obtained with another key is not evidence of this one.
    evidence_since: now,
  });
  if (isConnected || (tested !== undefined && tested.health !== runtime.health)) {
    const data = {
      name: runtime.name,
      before: { status: runtime.status, health: runtime.health, credential_id },
      after: { health: tested?.health ?? 'UNKNOWN', credential_id: typeof stored === 'string' ? stored : stored.id },
    };
    change.emit('integration.updated', { ...about.runtime(runtime), data });
  }
  return (await findRuntime(change.tx, organization_id, runtimeId)) ?? buildRefusal('NOT_FOUND');
};

/** Tests a key at the instance and stores it. One that the instance refuses is not stored, and the previous one stays. */
export const replaceApiKey = async (changing: Changing, request: ReplaceRequest, deps: InstanceDeps): Promise<CountedRuntime | Refusal> => {
  const { body, now } = request;
  const runtime = await changing((change) => read(change, request));
  if (isRefusal(runtime)) return runtime;
  const sender = { egress: deps.egress, proof: getProofForKey(runtime, body.api_key), runtime };
  const tested = body.test === false ? undefined : await askInstance(sender, deps.urls, now);
  if (tested?.health === 'UNAUTHORIZED')
    return buildRefusal('UNPROCESSABLE', REFUSED, { health: tested.health, detail: tested.detail, evidence: tested.evidence });
  return changing((change) => keep(change, request, tested, deps));
};
