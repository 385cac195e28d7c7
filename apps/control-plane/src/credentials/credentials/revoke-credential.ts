import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { revokeCredential as revoke } from '@svc/operations/credentials/credentials/revoke-credential.ts';
import type { CredentialsDeps } from '../deps.ts';
import { formatCredential } from './formats/format-credential.ts';

export const revokeCredential: Handler<Endpoints['revokeCredential'], CredentialsDeps> = (call, { urls }) => {
  const { body, scope, params, now } = call;
  return call.change(async (change) => {
    const revoked = await revoke(change, { ...asActing(call), credentialId: params.credentialId, body });
    return isRefusal(revoked) ? revoked : formatCredential(change.tx, scope.organization_id, revoked, { now, baseUrl: urls.base });
  });
};
