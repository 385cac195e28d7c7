import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { connectCredential } from './credentials/connect-credential.ts';
import { createCredential } from './credentials/create-credential.ts';
import { finishConnection } from './credentials/finish-connection.ts';
import { getCredential } from './credentials/get-credential.ts';
import { listCredentials } from './credentials/list-credentials.ts';
import { revokeCredential } from './credentials/revoke-credential.ts';
import { rotateCredential } from './credentials/rotate-credential.ts';
import { testCredential } from './credentials/test-credential.ts';
import type { CredentialsDeps } from './deps.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const credentialsHandlers: AreaHandlers<'control', 'credentials', CredentialsDeps> = {
  listCredentials,
  createCredential,
  getCredential,
  rotateCredential,
  revokeCredential,
  connectCredential,
  finishConnection,
  testCredential,
};
