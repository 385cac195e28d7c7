import { hash } from 'node:crypto';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { LRUCache } from 'lru-cache';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { type AgentTokenClaims, type AgentTokenRefusal, TOKEN_CHARS_MAX, type TokenScope, verifyAgentToken } from './agent-token.ts';

export type AgentTokenReader = {
  /** Reads like `verifyAgentToken`; costs only a hash for a token that was verified before. */
  readonly read: (keys: PlatformKeys, token: string, nowMs: number) => AgentTokenClaims | AgentTokenRefusal;
  /** The number of cached verified tokens, at most the bound. */
  readonly remembered: () => number;
};

/**
 * Reads agent tokens and caches the verified ones by their SHA-256, so that no live token stays in memory and a signature is verified once.
 * Only verified tokens are cached: a flood of forgeries leaves the memory unchanged. An LRU cache: the least recently used is evicted
 * first.
 * Each hit checks the expiry and the acceptance of the signing key again.
 */
export const newAgentTokenReader = (scope: TokenScope, rememberedMax = 10_000): AgentTokenReader => {
  const verified = new LRUCache<string, AgentTokenClaims>({ max: rememberedMax });

  const recall = (keys: PlatformKeys, digest: string, nowMs: number): AgentTokenClaims | AgentTokenRefusal | null => {
    const claims = verified.get(digest);
    if (claims === undefined) return null;
    const isAccepted = keys.accepted.has(claims.kid);
    if (isAccepted && claims.expiresAtMs > nowMs) return claims;
    verified.delete(digest);
    return buildRefusal(isAccepted ? 'AGENT_TOKEN_EXPIRED' : 'UNAUTHENTICATED');
  };

  const read = (keys: PlatformKeys, token: string, nowMs: number): AgentTokenClaims | AgentTokenRefusal => {
    if (token.length > TOKEN_CHARS_MAX) return buildRefusal('UNAUTHENTICATED');
    const digest = hash('sha256', token, 'base64url');
    const known = recall(keys, digest, nowMs);
    if (known !== null) return known;
    const claims = verifyAgentToken(keys, scope, token, nowMs);
    if (!isRefusal(claims)) verified.set(digest, claims);
    return claims;
  };

  return { read, remembered: () => verified.size };
};
