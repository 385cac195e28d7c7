import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockCredential, updateCredential } from '@svc/postgres/credentials/credentials.ts';
import { eraseTokens } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import type { CredentialsDeps } from '../deps.ts';
import { toldCredential } from './told/told-credential.ts';

export const revokeCredential: Handler<Endpoints['revokeCredential'], CredentialsDeps> = (call, { urls }) => {
  const { body, scope, params, now } = call;
  const key = { organization_id: scope.organization_id, id: params.credentialId };
  return call.change(async ({ tx, emit }) => {
    const before = await lockCredential(tx, key);
    if (!before) return call.refuse('NOT_FOUND');
    if (before.status === 'REVOKED') return call.refuse('INVALID_STATE_TRANSITION', 'The credential is revoked already.');
    const after = await updateCredential(tx, key, {
      status: 'REVOKED',
      revoked_reason: body.reason,
      sealed_secret: null,
      sealed_previous_secret: null,
      previous_ends_at: null,
      updated_at: now,
    });
    await eraseTokens(tx, { organization_id: key.organization_id, credential_id: key.id });
    const data = { name: after.name, before: { status: before.status }, after: { status: after.status }, reason: body.reason };
    emit('credential.revoked', { ...about.credential(after), data });
    return toldCredential(tx, key.organization_id, after, { now, baseUrl: urls.base });
  });
};
