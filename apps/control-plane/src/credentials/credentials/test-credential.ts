import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isInBody } from '@svc/domain/credentials/place-secret.ts';
import { type AllowlistEntry, isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { type Destination, parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { dataKeyOf } from '@svc/operations/service/keys/data-key-of.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type LockedCredential, lockCredential, type StoredCredential } from '@svc/postgres/credentials/credentials.ts';
import { beginTestCall } from '@svc/postgres/credentials/test-calls.ts';
import type { CredentialsDeps } from '../deps.ts';
import { makeTestCall, type TestCall } from './test-calls/make-test-call.ts';

type TestCredential = Endpoints['testCredential'];

const { testsPerMinuteMax, testsPerOrganizationPerMinuteMax } = LIMITS.credentials;
const OFTEN = `Within a minute a credential is tried ${testsPerMinuteMax} times at most, and those of an organization ${testsPerOrganizationPerMinuteMax} times.`;
const REVOKED = 'A revoked credential is not tried: its secret is erased.';
const IN_BODY = 'A credential that stands in the body cannot be tried by a request without one: let an agent call its tool.';
const ELSEWHERE = 'is at no destination of the credential: name one of them here, or store one that names this';

/** The secret, and the one before it while a rotation lets both be good; or what access tokens are had by. */
const opened = (dataKey: KeyObject, organization_id: string, credential: LockedCredential, now: Date): TestCall['secrets'] => {
  const { generation, sealed_secret, sealed_previous_secret, previous_ends_at } = credential;
  if (sealed_secret === null) throw new Error('an active credential holds no secret');
  const open = (sealed: Uint8Array, of: number) =>
    openCredentialSecret(dataKey, sealed, { ...credential, organization_id, generation: of });
  const held = open(sealed_secret, generation);
  if (credential.oauth !== null) return { held };
  const hasPrevious = previous_ends_at !== null && Date.parse(previous_ends_at) > now.getTime();
  const before = sealed_previous_secret !== null && hasPrevious ? open(sealed_previous_secret, generation - 1) : undefined;
  return { ...held, hidden: before === undefined ? [] : [before.secret, ...before.extras] };
};

const entriesOf = ({ destinations }: LockedCredential): AllowlistEntry[] =>
  destinations.map(parseAllowlistEntry).filter((entry): entry is AllowlistEntry => !('fault' in entry));

/** What is opened for one test; undefined until it is. */
type Kept = { secrets: TestCall['secrets'] | undefined };

/**
 * Notes that the credential is sent, before it is: nothing leaves of which the record does not tell. Its secrets are put into `kept` and
 * are no part of what the change answers, since what a change answers may be stored.
 */
const begin = (call: Call<TestCredential>, destination: Destination, credentialKey: KeyObject, kept: Kept) => {
  const { scope, params, body, now } = call;
  const { organization_id } = scope;
  const { method = 'GET' } = body;
  return call.change(async ({ tx, emit }) => {
    const credential = await lockCredential(tx, { organization_id, id: params.credentialId });
    if (!credential) return call.refuse('NOT_FOUND');
    if (credential.status === 'REVOKED') return call.refuse('INVALID_STATE_TRANSITION', REVOKED);
    const archived = await archivedRefusal(tx, organization_id, credential.environment_id);
    if (archived) return archived;
    const entries = entriesOf(credential);
    if (!isAllowed(entries, destination)) return call.fault('/url', ELSEWHERE);
    if (isInBody(credential)) return call.refuse('UNPROCESSABLE', IN_BODY);
    const lease_id = call.newId('credential_lease');
    const begins = await beginTestCall(tx, { organization_id, credential_id: credential.id, lease_id, now });
    if (!begins) return call.refuse('RATE_LIMITED', OFTEN, { retry_after_seconds: 60 });
    kept.secrets = opened(await dataKeyOf(tx, credentialKey, organization_id), organization_id, credential, now);
    const { sealed_secret: _sealed, sealed_previous_secret: _before, ...told } = credential;
    const { id, generation } = told;
    const where = { destination: `${destination.host}:${destination.port}`, method };
    emit('credential.issued', {
      ...about.credential(credential),
      data: { purpose: 'TEST', credential_id: id, generation, lease_id, ...where },
    });
    return { credential: told satisfies StoredCredential, entries };
  });
};

/** Sends one request with the secret and tells what came back. No agent, no tool and no policy is asked: who may store secrets may try them. */
export const testCredential: Handler<TestCredential, CredentialsDeps> = async (call, { credentialKey, testCalls, tokens }) => {
  const { url, method = 'GET' } = call.body;
  const destination = parseDestination(url);
  if ('fault' in destination) return call.fault('/url', destination.fault);
  if (!URL.canParse(url)) return call.fault('/url', 'is no URL');
  // What follows waits for a stranger's server.
  call.onCall();
  return testCalls.inTurn(call.scope.organization_id, async () => {
    try {
      const startedAt = performance.now();
      const kept: Kept = { secrets: undefined };
      const begun = await begin(call, destination, credentialKey, kept);
      if (isRefusal(begun)) return begun;
      const { organization_id } = call.scope;
      const { secrets } = kept;
      if (secrets === undefined) throw new Error('a test call was begun without what it sends');
      const told = await makeTestCall(testCalls, tokens, { ...begun, secrets, organization_id, url, method });
      const at = { generation: begun.credential.generation, method, destination: `${destination.host}:${destination.port}` };
      return { ...at, ...told, duration_ms: Math.round(performance.now() - startedAt) };
    } catch (error) {
      if (error instanceof CredentialKeyError) return call.refuse('CREDENTIAL_SERVICE_UNAVAILABLE');
      throw error;
    }
  });
};
