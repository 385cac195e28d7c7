import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { openCredentialSecret, sealCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockCredential, type StoredCredential, updateCredential } from '@svc/postgres/credentials/credentials.ts';
import type { ConnectionAttempt } from '@svc/postgres/credentials/tokens/attempts.ts';
import { lockTokens, replaceTokens } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import { readTokens } from '@svc/postgres/credentials/tokens/leases.ts';
import { findConnectingFault } from './connecting-fault.ts';
import type { Exchanged } from './exchange-code.ts';
import { sealTokens } from './seal-tokens.ts';
import type { TokenDesk } from './token-desk.ts';

const MEANWHILE = 'The credential was revoked or rotated in the meantime. Start again.';

type Connected = Exchanged & { readonly attempt: ConnectionAttempt };

/** Stores the exchanged tokens and increments the generation, so that no gateway sends a token that another person granted before. */
export const keepConnection = async (
  { tx, emit }: Change<'credential.rotated'>,
  desk: TokenDesk,
  { attempt, tokens, refresh_token, generation }: Connected,
  now: Date,
): Promise<StoredCredential | Refusal<'PERMISSION_DENIED' | 'GONE'>> => {
  const { organization_id, credential_id, user_id } = attempt;
  const key = { organization_id, id: credential_id };
  const fault = await findConnectingFault(tx, attempt, now);
  if (fault) return fault;
  const before = await lockCredential(tx, key);
  const version = await lockTokens(tx, attempt);
  const row = await readTokens(tx, attempt);
  if (!before?.sealed_secret || !row || version === undefined || before.generation !== generation) return buildRefusal('GONE', MEANWHILE);
  const dataKey = desk.dataKeyOf(organization_id, row.wrapped_key);
  const secrets = openCredentialSecret(dataKey, before.sealed_secret, { ...before, ...key });
  const next = generation + 1;
  const after = await updateCredential(tx, key, {
    generation: next,
    sealed_secret: sealCredentialSecret(dataKey, secrets, { ...before, ...key, generation: next }),
    rotated_at: now,
    updated_at: now,
  });
  const of = { organization_id, credential_id, version: version + 1 };
  const sealed = sealTokens(dataKey, of, tokens, refresh_token, now);
  const { sealed_refresh_token } = sealed;
  if (sealed_refresh_token === null) throw new Error('a connection without a refresh token is stored');
  const access = { sealed: sealed.sealed_access_token, endsAt: sealed.access_ends_at, scope: sealed.granted_scope };
  await replaceTokens(tx, of, { version: of.version, sealed_refresh_token, by: user_id, access }, now);
  const told = (each: StoredCredential) => ({ generation: each.generation, rotated_at: each.rotated_at });
  emit('credential.rotated', {
    ...about.credential(after),
    data: { name: after.name, change: 'connected', before: told(before), after: told(after) },
  });
  return after;
};
