import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { failureOfClient, isFinal, TOKEN_FAILURES, type TokenFailure } from '@svc/domain/credentials/token-failures.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { openToken } from '@svc/keyring/sealed/credential-tokens.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, change } from '@svc/postgres/change/change.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import { type Refreshed, storeFailure, storeRefreshed, type TokenRow, takeLease } from '@svc/postgres/credentials/tokens/leases.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { readTraceId } from '@svc/program/ids/trace.ts';
import { askForTokens } from './ask-for-tokens.ts';
import { sealTokens } from './seal-tokens.ts';
import type { TokenDesk } from './token-desk.ts';

const { oauth } = LIMITS;
const STORE_TRIES = 20;
const STORE_AGAIN_MS = 250;

export type CredentialKey = { readonly organization_id: string; readonly credential_id: string };

/**
 * `taken`: another process has the lease or just had it, so read again. `bounded`: the last refresh is too recent, or the organization has
 * started too many, so retry later.
 */
export type RefreshOutcome = 'stored' | 'failed' | 'taken' | 'bounded';

const changed = <Result>(
  { database, clock }: TokenDesk,
  organization_id: string,
  work: (change: Change<ClockEvent<'refresh-credentials'>>) => Promise<Result>,
) => {
  const ids = { requestId: newId('request'), traceId: readTraceId(undefined), newEventId: () => newId('audit_event') };
  const actor = { type: 'SYSTEM', id: 'system', name: null } as const;
  return change(database, { ...ids, actor, now: clock(), scope: { organization_id } }, work);
};

/** Retries storing through a database outage of seconds: a refresh token that a server has just rotated must not be lost. */
const storePersistently = async (desk: TokenDesk, { organization_id, credential_id, version }: TokenRow, tokens: Refreshed) => {
  const store = () =>
    inTenant(desk.database, { organization_id }, (tx) =>
      storeRefreshed(tx, { organization_id, credential_id }, version, tokens, desk.clock()),
    );
  for (let left = STORE_TRIES; ; left -= 1) {
    try {
      return await store();
    } catch (error) {
      if (left <= 1) throw error;
      await sleep(STORE_AGAIN_MS);
    }
  }
};

const backoffMs = (failures: number): number => Math.min(oauth.spacingMs * 2 ** Math.min(failures, 10), oauth.backoffMsMax);

const noteFailure = (desk: TokenDesk, lease: TokenRow, lease_id: string, failure: TokenFailure) =>
  changed(desk, lease.organization_id, async ({ tx, emit }) => {
    const retry_at = isFinal(failure) ? null : new Date(desk.clock().getTime() + backoffMs(lease.failures));
    const failures = await storeFailure(tx, lease, { lease_id, version: lease.version, failure, retry_at });
    if (failures === undefined || !(isFinal(failure) || failures === oauth.failuresToldMin)) return;
    const { credential_id: id, name, workspace_id, environment_id } = lease;
    const data = { name, failure, failures, remedy: TOKEN_FAILURES[failure], state: isFinal(failure) ? 'ERROR' : 'CONNECTED' };
    emit('credential.rotation_failed', { ...about.credential({ id, workspace_id, environment_id }), data });
  });

/** Returns the grant to refresh with. Undefined if a required refresh token is missing. */
const askedBy = (desk: TokenDesk, lease: TokenRow) => {
  const { organization_id, credential_id, version, sealed_refresh_token } = lease;
  const dataKey = desk.dataKeyOf(organization_id, lease.wrapped_key);
  const { secret: proofs } = openCredentialSecret(dataKey, lease.sealed_secret, { ...lease, id: credential_id });
  const place = { organization_id, credential_id, version, kind: 'refresh_token' } as const;
  const refresh_token = sealed_refresh_token === null ? undefined : openToken(dataKey, sealed_refresh_token, place);
  return { dataKey, proofs, refresh_token };
};

/**
 * Refreshes a credential once, however many processes ask: the process that takes the lease calls the token endpoint, without a database
 * connection, and stores both sealed tokens before anything uses them. Throws a CredentialKeyError under another master key.
 */
export const refreshCredential = async (desk: TokenDesk, key: CredentialKey, version: number): Promise<RefreshOutcome> => {
  const { organization_id, credential_id } = key;
  const lease_id = newId('request');
  const lease = await inTenant(desk.database, { organization_id }, (tx) => takeLease(tx, key, { lease_id, version, now: desk.clock() }));
  if (typeof lease === 'string') return lease;
  const { dataKey, proofs, refresh_token } = askedBy(desk, lease);
  const asked =
    refresh_token === undefined ? ({ grant: 'CLIENT_CREDENTIALS' } as const) : ({ grant: 'REFRESH_TOKEN', refresh_token } as const);
  const answer = await askForTokens(desk, lease, proofs, asked);
  if ('failure' in answer) {
    await noteFailure(desk, lease, lease_id, refresh_token === undefined ? failureOfClient(answer.failure) : answer.failure);
    return 'failed';
  }
  const of = { organization_id, credential_id, version: lease.version + 1 };
  const isStored = await storePersistently(desk, lease, sealTokens(dataKey, of, answer.tokens, refresh_token, desk.clock()));
  return isStored ? 'stored' : 'taken';
};
