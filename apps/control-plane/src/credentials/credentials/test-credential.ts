import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { type Destination, parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { beginCredentialTest, type TestSecrets } from '@svc/operations/credentials/credentials/begin-credential-test.ts';
import type { CredentialsDeps } from '../deps.ts';
import { makeTestCall } from './test-calls/make-test-call.ts';

type TestCredential = Endpoints['testCredential'];

const makeTest = async (call: Call<TestCredential>, destination: Destination, { credentialKey, testCalls, tokens }: CredentialsDeps) => {
  const startedAt = performance.now();
  const { organization_id } = call.scope;
  const { url, method = 'GET' } = call.body;
  const request = { ...asActing(call), credentialId: call.params.credentialId, body: call.body, destination };
  const opened: { secrets?: TestSecrets } = {};
  const onOpened = (secrets: TestSecrets): void => {
    opened.secrets = secrets;
  };
  const begun = await call.change((change) => beginCredentialTest(change, request, { credentialKey, onOpened }));
  if (isRefusal(begun)) return begun;
  const { secrets } = opened;
  if (secrets === undefined) throw new Error('a test call was begun without what it sends');
  const result = await makeTestCall(testCalls, tokens, { ...begun, secrets, organization_id, url, method });
  const at = { generation: begun.credential.generation, method, destination: `${destination.host}:${destination.port}` };
  return { ...at, ...result, duration_ms: Math.round(performance.now() - startedAt) };
};

/** Sends one request with the secret and returns the response. No agent, tool or policy is involved: callers who may store secrets may test them. */
export const testCredential: Handler<TestCredential, CredentialsDeps> = async (call, deps) => {
  const { url } = call.body;
  const destination = parseDestination(url);
  if ('fault' in destination) return call.fault('/url', destination.fault);
  if (!URL.canParse(url)) return call.fault('/url', 'is no URL');
  // The rest of the request waits for an external server.
  call.onCall();
  return deps.testCalls.inTurn(call.scope.organization_id, async () => {
    try {
      return await makeTest(call, destination, deps);
    } catch (error) {
      if (error instanceof CredentialKeyError) return call.refuse('CREDENTIAL_SERVICE_UNAVAILABLE');
      throw error;
    }
  });
};
