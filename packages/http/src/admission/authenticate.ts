import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { hasSecondFactor } from '@svc/contract/tables/proofs.ts';
import { BREAK_GLASS_PERMISSIONS, isGrantInForce } from '@svc/domain/incidents/emergency/break-glass.ts';
import { effectiveRights } from '@svc/domain/people/auth/effective-rights.ts';
import { hashSecret, isWellFormedSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { type CallerRow, findApiKey, findSession } from '@svc/postgres/people/auth/callers.ts';
import type { Caller } from '../calls/call.ts';

/** Shown only to the holder of the key, which may be older than the rule that refuses such keys. */
const OWNER_KEY = buildRefusal(
  'UNAUTHENTICATED',
  'API keys with the owner role are not accepted. Create a key with the least privileged role that is sufficient.',
);

const BEARER = 'bearer ';
const TOKEN_CHARS_MAX = 4_096;

/** Returns a bearer token without checking its form: an invalid one is not found by the lookup. */
export const readBearer = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined || authorization.length > BEARER.length + TOKEN_CHARS_MAX) return undefined;
  return authorization.slice(0, BEARER.length).toLowerCase() === BEARER ? authorization.slice(BEARER.length) : undefined;
};

const DPOP = 'dpop ';

/** Returns the token of an agent, which may be bound to a key (RFC 9449). */
export const readAgentToken = (authorization: string | undefined): string | undefined =>
  authorization?.slice(0, DPOP.length).toLowerCase() === DPOP
    ? readBearer(`${BEARER}${authorization.slice(DPOP.length)}`)
    : readBearer(authorization);

export const isDpopScheme = (authorization: string | undefined): boolean => authorization?.slice(0, DPOP.length).toLowerCase() === DPOP;

const NO_WORD = buildRefusal('UNAUTHENTICATED', 'The Authorization header must be "Bearer", a space and the token.');
const NONE = buildRefusal('UNAUTHENTICATED');

/** Refusal of a request without a bearer token; states if only the word before the token is missing. */
export const refuseWithoutBearer = (authorization: string | undefined): Refusal<'UNAUTHENTICATED'> =>
  authorization === undefined || authorization.slice(0, BEARER.length).toLowerCase() === BEARER ? NONE : NO_WORD;

/** Minimum interval between recorded uses, so that reading does not cause writes. A session may expire by idleness within a minute. */
export const NOTE_USE_EVERY_MS = { USER: 30_000, API_KEY: 60_000 } as const;

/** Returns the emergency access that is in force now. Its end is compared with each request. */
const findGrant = ({ kind, break_glass }: CallerRow, now: Date) =>
  kind === 'USER' && break_glass !== null && isGrantInForce(break_glass.expires_at, now.getTime()) ? break_glass : undefined;

const callerWith = (row: CallerRow, permissions: Caller['permissions'], workspaceIds: Caller['workspaceIds'], now: Date): Caller => ({
  actor: { type: row.kind, id: row.principal_id, name: row.principal_name },
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  organizationDeletesAt: row.organization_deletes_at,
  networks: row.networks,
  roleId: row.role_id,
  permissions,
  workspaceIds,
  keysBehind: row.links.filter(({ kind }) => kind === 'API_KEY').length,
  credentialId: row.credential_id,
  breakGlassId: findGrant(row, now)?.id ?? null,
  signInId: row.sign_in_id,
  personEpoch: row.person_epoch,
  approvedBySignInId: row.approved_by_sign_in_id,
  expiresAt: row.expires_at,
  openedAt: row.opened_at,
  email: row.email,
  amr: row.amr,
  vouchedAmr: row.vouched_amr,
  lacksFactor: row.kind === 'USER' && row.require_mfa && !hasSecondFactor(row.amr),
  steppedUpUntil: row.stepped_up_until,
  isUseDue: row.last_used_at === null || now.getTime() - Date.parse(row.last_used_at) > NOTE_USE_EVERY_MS[row.kind],
});

/** Converts a row to a caller with current permissions; a key that has lost the permissions of its creator is invalid. */
const toCaller = (row: CallerRow, now: Date): Caller | Refusal<'UNAUTHENTICATED'> => {
  // After the grace period an organization has no callers, even if rows are still stored.
  if (row.organization_deletes_at !== null && !(Date.parse(row.organization_deletes_at) > now.getTime()))
    return buildRefusal('UNAUTHENTICATED');
  const rights = effectiveRights(row.links, now.getTime());
  if (rights === undefined) return buildRefusal('UNAUTHENTICATED');
  const given = findGrant(row, now) === undefined ? [] : BREAK_GLASS_PERMISSIONS;
  return callerWith(row, new Set([...(rights.permissions as readonly Permission[]), ...given]), rights.workspace_ids, now);
};

export type SessionLimits = { readonly idleTimeoutSeconds: number };

/** Authenticates a bearer token. Unknown, revoked and malformed tokens get the same response; only an expired session gets another one. */
export const authenticateCaller = async (
  identity: Database,
  authorization: string | undefined,
  now: Date,
  limits: SessionLimits,
): Promise<Caller | Refusal> => {
  const token = readBearer(authorization);
  if (!token) return refuseWithoutBearer(authorization);
  if (token.startsWith(SECRET_PREFIXES.session) && isWellFormedSecret(SECRET_PREFIXES.session, token)) {
    const row = await findSession(identity, hashSecret(token));
    if (!row || row.revoked_at) return buildRefusal('UNAUTHENTICATED');
    const idleSince = now.getTime() - Date.parse(row.last_used_at ?? row.expires_at);
    // An invalid or unreadable end time counts as past.
    const isOver = !(Date.parse(row.expires_at) > now.getTime() && idleSince <= limits.idleTimeoutSeconds * 1000);
    if (isOver) return buildRefusal('SESSION_EXPIRED');
    return toCaller(row, now);
  }
  if (token.startsWith(SECRET_PREFIXES.api_key) && isWellFormedSecret(SECRET_PREFIXES.api_key, token)) {
    const row = await findApiKey(identity, hashSecret(token));
    const ends = [row?.expires_at, row?.secret_ends_at].filter((each) => typeof each === 'string');
    if (!row || row.revoked_at || !ends.every((end) => Date.parse(end) > now.getTime())) return buildRefusal('UNAUTHENTICATED');
    return row.for_keys ? toCaller(row, now) : OWNER_KEY;
  }
  return buildRefusal('UNAUTHENTICATED');
};
