import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { GivenTokens } from '@svc/domain/credentials/read-token-answer.ts';
import { sealToken } from '@svc/keyring/sealed/credential-tokens.ts';

const { oauth } = LIMITS;

type Of = { readonly organization_id: string; readonly credential_id: string; readonly version: number };

/** Returns when the last token counts as expired: not before the next refresh may begin. */
const endOf = (expiresInSeconds: number, now: Date): Date => new Date(now.getTime() + Math.max(expiresInSeconds * 1000, oauth.spacingMs));

/** Seals tokens that a server issued, for one version. `before` is the refresh token that stays valid if the server sent none. */
export const sealTokens = (dataKey: KeyObject, of: Of, tokens: GivenTokens, before: string | undefined, now: Date) => {
  const refreshToken = tokens.refresh_token ?? before;
  return {
    sealed_refresh_token: refreshToken === undefined ? null : sealToken(dataKey, refreshToken, { ...of, kind: 'refresh_token' }),
    sealed_access_token: sealToken(dataKey, tokens.access_token, { ...of, kind: 'access_token' }),
    access_ends_at: endOf(tokens.expiresInSeconds, now),
    granted_scope: tokens.scope,
  };
};
