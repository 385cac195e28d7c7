import type { KeyObject } from 'node:crypto';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { createEgress, type Egress, type EgressSettings } from '@svc/egress/create-egress.ts';
import type { EgressCredential, EgressResult } from '@svc/egress/requests/egress-request.ts';
import { formatUserMessage } from '@svc/egress/requests/explain-to-people.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type LockedCredential, lockCredential } from '@svc/postgres/credentials/credentials.ts';
import type { RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { parseJson } from '@svc/runtimes/digest/parse-json.ts';
import type { InstanceAnswer, InstanceRequest, SendToInstance } from '@svc/runtimes/kind.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import { readDataKey } from '../../../service/keys/open-data-key.ts';

/** Networks in which instances may be reached. */
export type InstanceReach = {
  readonly allowRealEgress: boolean;
  readonly allowCidrs: readonly string[];
  readonly nameServers: readonly string[];
  readonly credentialsOverHttp: boolean;
  /** Reads the destinations that an organization blocks. */
  readonly blocksOf: NonNullable<EgressSettings['blocksOf']>;
};

const { responseBytesMax, answerMs } = LIMITS.runtimes;

/** Opens the egress client for instances. Redirects are never followed, so that a key reaches only the host that it was given for. */
export const openInstanceEgress = ({ credentialsOverHttp, ...reach }: InstanceReach): Egress =>
  createEgress({
    ...{ ...reach, showsCredentials: credentialsOverHttp },
    ...{ responseMaxBytes: responseBytesMax, timeoutMs: answerMs, asText: true, readsAtOnce: true },
  });

/** The row of an instance, and its credential with the data key of the organization. */
export type OpenedInstance = {
  readonly runtime: RuntimeRow;
  readonly credential: LockedCredential | null;
  readonly dataKey: KeyObject | null;
};

/** Records that the API key is sent, before it is. `purpose` states for what. */
export const leaseApiKey = async (
  { tx, emit }: Change<'credential.issued'>,
  runtime: RuntimeRow,
  purpose: string,
  credentialKey: KeyObject,
): Promise<OpenedInstance | Refusal<'UNPROCESSABLE'>> => {
  const { organization_id, credential_id, base_url } = runtime;
  if (base_url === null || RUNTIME_KIND_ROWS[runtime.kind].inspection.by !== 'instance')
    return buildRefusal('UNPROCESSABLE', 'This kind of runtime has no instance to connect to: it is seen through reports.');
  if (credential_id === null || runtime.admin_access === 'NONE') return { runtime, credential: null, dataKey: null };
  const credential = await lockCredential(tx, { organization_id, id: credential_id });
  if (!credential || credential.sealed_secret === null) return { runtime, credential: null, dataKey: null };
  const data = { purpose, runtime_id: runtime.id, destination: new URL(base_url).host, credential_id, generation: credential.generation };
  emit('credential.issued', { ...about.credential(credential), data: { ...data, lease_id: newId('credential_lease') } });
  return { runtime, credential, dataKey: await readDataKey(tx, credentialKey, organization_id) };
};

const readProof = ({ runtime, credential, dataKey }: OpenedInstance): EgressCredential | undefined => {
  if (credential === null || dataKey === null || credential.sealed_secret === null) return undefined;
  const { scheme, placement, extras, generation } = credential;
  const held = openCredentialSecret(dataKey, credential.sealed_secret, {
    ...credential,
    organization_id: runtime.organization_id,
    generation,
  });
  const destinations = credential.destinations.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));
  return { scheme, placement, extras, destinations, open: () => ({ ...held, hidden: [] }) };
};

/** Returns the authentication for a key that is tested before it is stored. */
export const getProofForKey = ({ kind, base_url }: RuntimeRow, apiKey: string): EgressCredential => {
  const { inspection } = RUNTIME_KIND_ROWS[kind];
  const header = inspection.by === 'instance' ? inspection.driver.apiKeyHeader : 'Authorization';
  const entry = parseAllowlistEntry(new URL(base_url ?? '').host);
  const held = { secret: apiKey, extras: [] };
  return {
    scheme: 'HEADER',
    placement: { header },
    extras: [],
    destinations: 'fault' in entry ? [] : [entry],
    open: () => ({ ...held, hidden: [] }),
  };
};

const failed = (why: Extract<InstanceAnswer, { kind: 'failed' }>['why'], detail: string): InstanceAnswer => ({
  kind: 'failed',
  why,
  detail,
});

const asAnswer = (result: EgressResult): InstanceAnswer => {
  switch (result.kind) {
    case 'answered': {
      const { status, body, headers, bytes, duration_ms: ms } = result;
      return { kind: 'answered', status, json: parseJson(body), date: headers.date ?? null, bytes, ms };
    }
    case 'answered_large':
      return failed('TOO_LARGE', 'Its answer is too large.');
    case 'disabled':
      return failed('DISABLED', result.reason);
    case 'no_credential':
      return failed('NO_CREDENTIAL', result.reason);
    case 'timeout':
      return failed('TIMEOUT', 'It did not answer in time.');
    case 'unreachable':
    case 'refused':
      return failed('UNREACHABLE', formatUserMessage(result));
    default:
      return failed(result.tooLarge ? 'TOO_LARGE' : 'UNREACHABLE', result.reason);
  }
};

export type OpenSender = { readonly egress: Egress; readonly proof: EgressCredential | undefined; readonly runtime: RuntimeRow };

/** Creates the sender of an instance. `onSend` is awaited before each request, and paces them. */
export const newSender =
  ({ egress, proof, runtime }: OpenSender, onSend: () => Promise<void>): SendToInstance =>
  async ({ method, path, body, timeoutMs, isAnonymous }: InstanceRequest): Promise<InstanceAnswer> => {
    const url = `${runtime.base_url ?? ''}${path}`;
    const disabled = egress.disabledFor({ url });
    if (disabled !== undefined) return failed('DISABLED', disabled);
    await onSend();
    const result = await egress.call({
      ...{ method, url, tenant: runtime.organization_id },
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(proof === undefined || isAnonymous ? {} : { credential: proof }),
    });
    return asAnswer(result);
  };

/** Opens the secret of an instance, or returns a refusal. */
export const openProof = (instance: OpenedInstance): EgressCredential | undefined | Refusal<'CREDENTIAL_SERVICE_UNAVAILABLE'> => {
  try {
    return readProof(instance);
  } catch (error) {
    if (error instanceof CredentialKeyError) return buildRefusal('CREDENTIAL_SERVICE_UNAVAILABLE');
    throw error;
  }
};
