import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { rotatedExtras } from '@svc/domain/credentials/extras.ts';
import { findRotationFaults } from '@svc/domain/credentials/oauth-faults.ts';
import { findRepeatedPrefixFaults } from '@svc/domain/credentials/placement-faults.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { sealCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockCredential, type StoredCredential, updateCredential } from '@svc/postgres/credentials/credentials.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { rotateClientProofs, rotateTokens } from '../tokens/rotate-tokens.ts';
import { openAsStored } from './open-as-stored.ts';

type RotateCredentialRequest = CallContext & { readonly credentialId: string; readonly body: EndpointBody<Endpoints['rotateCredential']> };

const SAME = 'is the one that stands already: nothing was changed, and the one before it stays what it was';
const NOT_ROTATED = 'The credential is not rotated by that.';

const rotationFacts = ({ generation, rotated_at, previous_ends_at }: StoredCredential) => ({ generation, rotated_at, previous_ends_at });

/** Replaces secrets of a credential. With `overlap_seconds` the previous secret stays valid for that time. */
export const rotateCredential = async (
  { tx, emit }: Change<'credential.rotated'>,
  { scope, actor, now, credentialId, body }: RotateCredentialRequest,
  { credentialKey }: { readonly credentialKey: KeyObject },
) => {
  const key = { organization_id: scope.organization_id, id: credentialId };
  const before = await lockCredential(tx, key);
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.status === 'REVOKED') return buildRefusal('INVALID_STATE_TRANSITION', 'A revoked credential is not rotated: store a new one.');
  const generation = before.generation + 1;
  const overlap = body.overlap_seconds ?? 0;
  const { scheme, placement } = before;
  const faults = [...findRotationFaults(before.oauth, body, overlap), ...findRepeatedPrefixFaults(scheme, placement, body.secret)];
  if (faults.length > 0) return buildRefusal('VALIDATION_FAILED', NOT_ROTATED, { faults });
  const opened = await openAsStored(tx, credentialKey, key.organization_id, before);
  if (opened === undefined) return buildRefusal('CREDENTIAL_SERVICE_UNAVAILABLE');
  const { dataKey } = opened;
  const extras = rotatedExtras(before.extras, opened.extras, body.extras ?? []);
  if (isFaults(extras)) return buildRefusal('VALIDATION_FAILED', NOT_ROTATED, extras);
  const { secret = opened.secret } = body;
  const next = before.oauth === null ? { secret, oauth: null } : rotateClientProofs(before.oauth, body, opened.secret);
  if (isRefusal(next)) return next;
  const isSame = next.secret === opened.secret && extras.every((value, at) => value === opened.extras[at]);
  if (before.oauth === null && isSame) return refuseBody(body.secret === undefined ? '/extras/0/secret' : '/secret', SAME);
  const after = await updateCredential(tx, key, {
    generation,
    sealed_secret: sealCredentialSecret(dataKey, { secret: next.secret, extras }, { ...before, ...key, oauth: next.oauth, generation }),
    sealed_previous_secret: overlap === 0 ? null : before.sealed_secret,
    previous_ends_at: overlap === 0 ? null : new Date(now.getTime() + overlap * 1_000),
    ...(next.oauth ? { oauth: JSON.stringify(next.oauth) } : {}),
    rotated_at: now,
    updated_at: now,
  });
  if (next.oauth) await rotateTokens(tx, { dataKey, key, refresh_token: body.refresh_token, by: actor.id, now });
  const data = { name: after.name, before: rotationFacts(before), after: rotationFacts(after) };
  emit('credential.rotated', { ...about.credential(after), data });
  return after;
};
