import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockCredential, updateCredential } from '@svc/postgres/credentials/credentials.ts';
import { eraseTokens } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type RevokeCredentialRequest = CallContext & { readonly credentialId: string; readonly body: EndpointBody<Endpoints['revokeCredential']> };

/** Revokes a credential, and erases its secrets and tokens. */
export const revokeCredential = async (
  { tx, emit }: Change<'credential.revoked'>,
  { scope, now, credentialId, body }: RevokeCredentialRequest,
) => {
  const key = { organization_id: scope.organization_id, id: credentialId };
  const before = await lockCredential(tx, key);
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.status === 'REVOKED') return buildRefusal('INVALID_STATE_TRANSITION', 'The credential is revoked already.');
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
  return after;
};
