import type { KeyObject } from 'node:crypto';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { openTokens } from '@svc/operations/credentials/tokens/open-tokens.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { openTestCalls } from './credentials/test-calls/open-test-calls.ts';
import type { CredentialsDeps } from './deps.ts';

type Settings = CredentialsDeps['settings'] &
  Parameters<typeof openTokens>[0] &
  Parameters<typeof openTestCalls>[0] & { readonly masterKey: KeyObject };

type Needs = Pick<CredentialsDeps, 'urls' | 'clock' | 'identity'> & { readonly settings: Settings; readonly database: Database };

/** Opens token endpoints and test calls. `hurry` stores tokens that are being obtained before the process ends. */
export const openCredentials = ({ settings, database, identity, clock, urls }: Needs) => {
  const credentialKey = deriveKey(settings.masterKey, 'data-key-wrapping');
  const tokens = openTokens(settings, { database, clock: clock.now, credentialKey });
  const testCalls = openTestCalls(settings);
  const deps: CredentialsDeps = { settings, credentialKey, tokens: tokens.desk, testCalls, clock, identity, urls };
  return { deps, hurry: tokens.hurry, closeTokens: tokens.close, closeTestCalls: testCalls.close };
};
