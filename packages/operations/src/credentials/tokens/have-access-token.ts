import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readTokens, type TokenRow } from '@svc/postgres/credentials/tokens/leases.ts';
import { type CredentialKey, refreshCredential } from './refresh-credential.ts';
import type { TokenDesk } from './token-desk.ts';

const { oauth } = LIMITS;
/** The remaining lease of another process, and then one of its own. */
const WAIT_MS = oauth.leaseMs + oauth.waitMs;

/** A stored access token with its version, the refresh token of that version and the previous access token. */
export type StoredAccess = {
  readonly version: number;
  readonly sealed: Uint8Array;
  readonly wrapped_key: Uint8Array;
  readonly endsAt: number;
  readonly sealed_refresh_token: Uint8Array | null;
  readonly previous: { readonly version: number; readonly sealed: Uint8Array; readonly endsAt: number } | null;
};

const getPrevious = (row: TokenRow): StoredAccess['previous'] => {
  const { sealed_previous_access_token: sealed, previous_access_version: version, previous_access_ends_at } = row;
  return sealed === null || version === null || previous_access_ends_at === null
    ? null
    : { version, sealed, endsAt: Date.parse(previous_access_ends_at) };
};

const usable = (row: TokenRow, now: number, otherThan: number | undefined): StoredAccess | undefined => {
  const { version, sealed_access_token: sealed, access_ends_at, wrapped_key, sealed_refresh_token } = row;
  const endsAt = access_ends_at === null ? 0 : Date.parse(access_ends_at);
  if (sealed === null || endsAt <= now || version === otherThan) return undefined;
  return { version, sealed, wrapped_key, endsAt, sealed_refresh_token, previous: getPrevious(row) };
};

/** True if a time is in the future, but not further than possible: a value written by a clock that ran ahead does not count. */
const isAhead = (time: string | null, now: number, mostMs: number): boolean =>
  time !== null && Date.parse(time) > now && Date.parse(time) <= now + mostMs + oauth.clocksDifferMs;
const isLeased = (row: TokenRow, now: number): boolean => isAhead(row.leased_until, now, oauth.leaseMs);

/** True if waiting may help: a refresh is in progress or permitted. */
const isHopeful = (row: TokenRow, now: number, otherThan: number | undefined): boolean => {
  if (row.state !== 'CONNECTED') return false;
  if (isLeased(row, now)) return true;
  if (isAhead(row.retry_at, now, oauth.backoffMsMax)) return false;
  return otherThan === undefined || !isAhead(row.lease_began_at, now - oauth.refusedAfterMs, oauth.refusedAfterMs);
};

/**
 * Returns the access token of a credential: the stored one while it is valid, else one from a refresh, made here or by the process that
 * holds the lease. Polls, slowly while a limit delays the refresh, and holds no connection between polls. Undefined if none is available in
 * time. `otherThan` is a version to skip, since a service refused it or it expires soon.
 */
export const haveAccessToken = async (desk: TokenDesk, key: CredentialKey, otherThan?: number): Promise<StoredAccess | undefined> => {
  const { organization_id } = key;
  let triesFrom = 0;
  for (const startedAt = performance.now(); ; ) {
    const row = await readInTenant(desk.database, { organization_id }, (tx) => readTokens(tx, key));
    const now = desk.clock().getTime();
    const found = row && usable(row, now, otherThan);
    if (found) return found;
    if (!row || !isHopeful(row, now, otherThan) || performance.now() - startedAt > WAIT_MS || desk.isClosing?.()) return undefined;
    if (isLeased(row, now)) {
      await sleep(oauth.pollMs);
      continue;
    }
    const outcome = performance.now() < triesFrom ? 'waiting' : await refreshCredential(desk, key, row.version);
    if (outcome === 'failed') return undefined;
    if (outcome === 'bounded') triesFrom = performance.now() + oauth.spacingMs;
    if (outcome !== 'stored') await sleep(outcome === 'taken' ? oauth.pollMs : oauth.boundedPollMs);
  }
};
