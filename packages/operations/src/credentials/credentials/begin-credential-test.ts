import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type CredentialSecrets, isInBody } from '@svc/domain/credentials/place-secret.ts';
import { type AllowlistEntry, isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Destination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type LockedCredential, lockCredential, type StoredCredential } from '@svc/postgres/credentials/credentials.ts';
import { beginTestCall } from '@svc/postgres/credentials/test-calls.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readDataKey } from '../../service/keys/open-data-key.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';

type CredentialTestRequest = CallContext & {
  readonly credentialId: string;
  readonly body: EndpointBody<Endpoints['testCredential']>;
  readonly destination: Destination;
};

/** The secret to send with the secrets to hide from the response, or what an access token is obtained with. */
export type TestSecrets = OpenedSecret | { readonly held: CredentialSecrets };

type TestDeps = {
  readonly credentialKey: KeyObject;
  /** Receives the opened secrets. They are not in the result because the result of a change may be stored. */
  readonly onOpened: (secrets: TestSecrets) => void;
};

const { testsPerMinuteMax, testsPerOrganizationPerMinuteMax } = LIMITS.credentials;
const OFTEN = `Within a minute a credential is tried ${testsPerMinuteMax} times at most, and those of an organization ${testsPerOrganizationPerMinuteMax} times.`;
const REVOKED = 'A revoked credential is not tried: its secret is erased.';
const IN_BODY = 'A credential that stands in the body cannot be tried by a request without one: let an agent call its tool.';
const ELSEWHERE = 'is at no destination of the credential: name one of them here, or store one that names this';

/** Opens the current secret, and the previous one if a rotation keeps it valid. */
const openSecrets = (dataKey: KeyObject, organization_id: string, credential: LockedCredential, now: Date): TestSecrets => {
  const { generation, sealed_secret, sealed_previous_secret, previous_ends_at } = credential;
  if (sealed_secret === null) throw new Error('an active credential holds no secret');
  const open = (sealed: Uint8Array, sealedAs: number) =>
    openCredentialSecret(dataKey, sealed, { ...credential, organization_id, generation: sealedAs });
  const held = open(sealed_secret, generation);
  if (credential.oauth !== null) return { held };
  const hasPrevious = previous_ends_at !== null && Date.parse(previous_ends_at) > now.getTime();
  const previous = sealed_previous_secret !== null && hasPrevious ? open(sealed_previous_secret, generation - 1) : undefined;
  return { ...held, hidden: previous === undefined ? [] : [previous.secret, ...previous.extras] };
};

const readEntries = ({ destinations }: LockedCredential): AllowlistEntry[] =>
  destinations.map(parseAllowlistEntry).filter((entry): entry is AllowlistEntry => !('fault' in entry));

/** Records a test call before it is made, so that no secret is sent unrecorded. */
export const beginCredentialTest = async (
  { tx, emit }: Change<'credential.issued'>,
  { scope, now, credentialId, body, destination }: CredentialTestRequest,
  { credentialKey, onOpened }: TestDeps,
) => {
  const { organization_id } = scope;
  const credential = await lockCredential(tx, { organization_id, id: credentialId });
  if (!credential) return buildRefusal('NOT_FOUND');
  if (credential.status === 'REVOKED') return buildRefusal('INVALID_STATE_TRANSITION', REVOKED);
  const archived = await findArchivedRefusal(tx, organization_id, credential.environment_id);
  if (archived) return archived;
  const entries = readEntries(credential);
  if (!isAllowed(entries, destination)) return refuseBody('/url', ELSEWHERE);
  if (isInBody(credential)) return buildRefusal('UNPROCESSABLE', IN_BODY);
  const lease_id = newId('credential_lease');
  const begins = await beginTestCall(tx, { organization_id, credential_id: credential.id, lease_id, now });
  if (!begins) return buildRefusal('RATE_LIMITED', OFTEN, { retry_after_seconds: 60 });
  onOpened(openSecrets(await readDataKey(tx, credentialKey, organization_id), organization_id, credential, now));
  const { sealed_secret: _sealed, sealed_previous_secret: _previous, ...stored } = credential;
  const { id, generation } = stored;
  const { method = 'GET' } = body;
  emit('credential.issued', {
    ...about.credential(credential),
    data: {
      ...{ purpose: 'TEST', credential_id: id, generation, lease_id },
      ...{ destination: `${destination.host}:${destination.port}`, method },
    },
  });
  return { credential: stored satisfies StoredCredential, entries };
};
