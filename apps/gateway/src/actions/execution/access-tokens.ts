import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import type { CredentialSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { haveAccessToken, type StoredAccess } from '@svc/operations/credentials/tokens/have-access-token.ts';
import { openAccess } from '@svc/operations/credentials/tokens/open-access.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import { newOpenCredential, openOrUndefined } from './open-credential.ts';

/** The access token of a call: its version, and a function that opens it. */
export type AccessToken = { readonly version: number; readonly open: () => OpenedSecret | undefined };

export type AccessTokens = {
  /** Returns the cached token while it is valid, without waiting or reading. */
  readonly known: (organizationId: string, credential: CredentialSnapshot) => AccessToken | undefined;
  /** Returns another version, from the database or the token endpoint; undefined if none is available in time. */
  readonly have: (
    organizationId: string,
    credential: CredentialSnapshot,
    waitMs: number,
    otherThan?: number,
  ) => Promise<AccessToken | undefined>;
  /** Waits for running refreshes, so that their tokens are stored. */
  readonly settle: () => Promise<void>;
};

/** Logs a failure. */
export type TellBreakage = (facts: object, sentence: string) => void;

type Kept = StoredAccess & { readonly generation: number; renewAt: number };

const { oauth } = LIMITS;

/** Returns the time to renew a token: before its expiry, but at most in the last fifth of its lifetime. */
const getRenewAt = (endsAt: number, now: number): number => endsAt - Math.min(oauth.aheadMs, (endsAt - now) / 5);

const within = <Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

const newKeptTokens = () => {
  const kept = new Map<string, Kept>();
  const remember = (id: string, token: Kept): void => {
    kept.delete(id);
    kept.set(id, token);
    const [oldest] = kept.keys();
    if (kept.size > oauth.tokensKeptMax && oldest !== undefined) kept.delete(oldest);
  };
  return { kept, remember };
};

/** A token is opened together with its client secret, so that nothing is sent for a credential whose row differs from what was sealed. */
const newOpenerOf = (desk: TokenDesk) => {
  const openCredential = newOpenCredential(desk.dataKeyOf);
  return (organization_id: string, credential: CredentialSnapshot, access: StoredAccess) => (): OpenedSecret | undefined => {
    const held = openCredential(organization_id, credential, 'present');
    const key = { organization_id, credential_id: credential.id };
    return held && openOrUndefined(() => openAccess(desk, key, access, held));
  };
};

type Look = (organizationId: string, credential: CredentialSnapshot, otherThan?: number) => Promise<Kept | undefined>;

const newLook =
  (desk: TokenDesk, tell: TellBreakage, remember: (id: string, token: Kept) => void): Look =>
  async (organization_id, { id, generation }, otherThan) => {
    try {
      const found = await haveAccessToken(desk, { organization_id, credential_id: id }, otherThan);
      if (found === undefined) return undefined;
      const token = { ...found, generation, renewAt: getRenewAt(found.endsAt, desk.clock().getTime()) };
      remember(id, token);
      return token;
    } catch (error) {
      tell({ err: error, organization_id, credential_id: id }, 'an access token could not be obtained');
      return undefined;
    }
  };

/**
 * Caches sealed access tokens by credential and generation. Concurrent calls for the same one share one database query, and all gateways
 * share one refresh. A token in use is replaced before it expires, while it is still sent.
 */
export const newAccessTokens = (desk: TokenDesk, tell: TellBreakage): AccessTokens => {
  const { kept, remember } = newKeptTokens();
  const openerOf = newOpenerOf(desk);
  const underWay = new Map<string, Promise<Kept | undefined>>();
  const look = newLook(desk, tell, remember);
  const lookOnce: Look = (organizationId, credential, otherThan) => {
    const key = `${credential.id}/${credential.generation}/${otherThan ?? ''}`;
    const begun = underWay.get(key) ?? look(organizationId, credential, otherThan).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
  const renew = (organizationId: string, credential: CredentialSnapshot, token: Kept, now: number): void => {
    token.renewAt = now + oauth.spacingMs;
    void lookOnce(organizationId, credential, token.version);
  };
  const toldOf = (organizationId: string, credential: CredentialSnapshot, token: Kept): AccessToken => ({
    version: token.version,
    open: openerOf(organizationId, credential, token),
  });
  return {
    known: (organizationId, credential) => {
      const token = kept.get(credential.id);
      const now = desk.clock().getTime();
      if (token?.generation !== credential.generation || token.endsAt <= now) return undefined;
      if (token.renewAt <= now) renew(organizationId, credential, token, now);
      return toldOf(organizationId, credential, token);
    },
    have: async (organizationId, credential, waitMs, otherThan) => {
      const found = await within(lookOnce(organizationId, credential, otherThan), waitMs);
      return found && toldOf(organizationId, credential, found);
    },
    settle: async () => void (await Promise.allSettled(underWay.values())),
  };
};
