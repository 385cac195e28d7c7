import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readTokens, type TokenRow } from '@svc/postgres/credentials/tokens/leases.ts';
import { type CredentialKey, refreshCredential } from './refresh-credential.ts';
import type { TokenDesk } from './token-desk.ts';

const { oauth } = LIMITS;

/** An access token as it is stored, and which one it is. */
export type StoredAccess = {
  readonly version: number;
  readonly sealed: Uint8Array;
  readonly wrapped_key: Uint8Array;
  readonly endsAt: number;
};

/** Which one is wanted: one that lasts until a time, other than the version that a service refused. */
export type Wanted = { readonly until: number; readonly refused?: number | undefined };

const usable = (row: TokenRow, { until, refused }: Wanted): StoredAccess | undefined => {
  const { version, sealed_access_token: sealed, access_ends_at, wrapped_key } = row;
  const endsAt = access_ends_at === null ? 0 : Date.parse(access_ends_at);
  return sealed !== null && endsAt > until && version !== refused ? { version, sealed, wrapped_key, endsAt } : undefined;
};

const isLater = (time: string | null, than: number): boolean => time !== null && Date.parse(time) > than;

/** Whether waiting may help: somebody refreshes it, or it may be refreshed. */
const isHopeful = (row: TokenRow, wanted: Wanted, now: number): boolean => {
  if (row.state !== 'CONNECTED') return false;
  if (isLater(row.leased_until, now)) return true;
  if (isLater(row.retry_at, now)) return false;
  // One that a service refused although it is fresh would be refused again.
  return wanted.refused === undefined || !isLater(row.lease_began_at, now - oauth.spacingMs);
};

/**
 * The access token of a credential: the stored one while it lasts, else the one that a refresh brings, made here or by whoever has it. Looks
 * again now and then, and holds no connection between. Undefined where none is to be had within the time.
 */
export const haveAccessToken = async (
  desk: TokenDesk,
  key: CredentialKey,
  wanted: Wanted,
  waitMs: number = oauth.waitMs + oauth.leaseMs,
): Promise<StoredAccess | undefined> => {
  const { organization_id } = key;
  for (const startedAt = performance.now(); ; ) {
    const row = await readInTenant(desk.database, { organization_id }, (tx) => readTokens(tx, key));
    const found = row && usable(row, wanted);
    if (found) return found;
    const now = desk.clock().getTime();
    if (!row || !isHopeful(row, wanted, now) || performance.now() - startedAt > waitMs) return undefined;
    const outcome = isLater(row.leased_until, now) ? 'taken' : await refreshCredential(desk, key, row.version);
    if (outcome === 'failed') return undefined;
    if (outcome === 'taken') await sleep(oauth.pollMs);
  }
};
