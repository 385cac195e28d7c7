import type { Endpoints } from '@svc/contract/endpoints.ts';
import { rotatedExtras } from '@svc/domain/credentials/extras.ts';
import { rotationFaults } from '@svc/domain/credentials/oauth-faults.ts';
import { repeatedPrefixFaults } from '@svc/domain/credentials/placement-faults.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { sealCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockCredential, updateCredential } from '@svc/postgres/credentials/credentials.ts';
import type { CredentialsDeps } from '../deps.ts';
import { rotatedProofs, rotateTokens } from './oauth/rotate-tokens.ts';
import { openAsStored } from './sealed/open-as-stored.ts';
import { toldCredential } from './told/told-credential.ts';

const SAME = 'is the one that stands already: nothing was changed, and the one before it stays what it was';

export const rotateCredential: Handler<Endpoints['rotateCredential'], CredentialsDeps> = (call, { credentialKey, urls }) => {
  const { body, scope, params, now } = call;
  const key = { organization_id: scope.organization_id, id: params.credentialId };
  return call.change(async ({ tx, emit }) => {
    const before = await lockCredential(tx, key);
    if (!before) return call.refuse('NOT_FOUND');
    if (before.status === 'REVOKED')
      return call.refuse('INVALID_STATE_TRANSITION', 'A revoked credential is not rotated: store a new one.');
    const generation = before.generation + 1;
    const overlap = body.overlap_seconds ?? 0;
    const { scheme, placement } = before;
    const faults = [...rotationFaults(before.oauth, body, overlap), ...repeatedPrefixFaults(scheme, placement, body.secret)];
    if (faults.length > 0) return call.refuse('VALIDATION_FAILED', 'The credential is not rotated by that.', { faults });
    const opened = await openAsStored(tx, credentialKey, key.organization_id, before);
    if (opened === undefined) return call.refuse('CREDENTIAL_SERVICE_UNAVAILABLE');
    const { dataKey } = opened;
    const extras = rotatedExtras(before.extras, opened.extras, body.extras ?? []);
    if (isFaults(extras)) return call.refuse('VALIDATION_FAILED', 'The credential is not rotated by that.', extras);
    const { secret = opened.secret } = body;
    const kept = before.oauth === null ? { secret, oauth: null } : rotatedProofs(before.oauth, body, opened.secret);
    if ('pointer' in kept) return call.fault(kept.pointer, kept.message);
    const isSame = kept.secret === opened.secret && extras.every((value, at) => value === opened.extras[at]);
    if (before.oauth === null && isSame) return call.fault(body.secret === undefined ? '/extras/0/secret' : '/secret', SAME);
    const after = await updateCredential(tx, key, {
      generation,
      sealed_secret: sealCredentialSecret(dataKey, { secret: kept.secret, extras }, { ...before, ...key, oauth: kept.oauth, generation }),
      sealed_previous_secret: overlap === 0 ? null : before.sealed_secret,
      previous_ends_at: overlap === 0 ? null : new Date(now.getTime() + overlap * 1_000),
      ...(kept.oauth ? { oauth: JSON.stringify(kept.oauth) } : {}),
      rotated_at: now,
      updated_at: now,
    });
    if (kept.oauth) await rotateTokens(tx, { dataKey, key, refresh_token: body.refresh_token, by: call.caller.actor.id, now });
    const told = ({ generation, rotated_at, previous_ends_at }: typeof after) => ({ generation, rotated_at, previous_ends_at });
    emit('credential.rotated', { ...about.credential(after), data: { name: after.name, before: told(before), after: told(after) } });
    return toldCredential(tx, key.organization_id, after, { now, baseUrl: urls.base });
  });
};
