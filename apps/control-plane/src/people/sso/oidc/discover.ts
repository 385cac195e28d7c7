import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { allowInsecureRequests, type Configuration, customFetch, discovery, type ServerMetadata } from 'openid-client';
import { findCapabilityFault } from './capability-fault.ts';
import { createProviderFetch } from './provider-fetch.ts';

/** Metadata of a provider, or what is wrong with it, as a sentence for people. */
export type DiscoveredProvider = { readonly metadata: ServerMetadata } | { readonly fault: string };

/** `afresh` skips the cache, which may be some minutes old. */
export type Discover = (issuer: string, organizationId: string, afresh?: boolean) => Promise<DiscoveredProvider>;

type Kept = { readonly until: number; readonly found: Promise<DiscoveredProvider> };

export const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

const isAddress = (value: unknown, issuer: string): boolean => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isInsecure(issuer)));
};

/** Checks what a sign-in depends on; other metadata is checked where it is used. */
const getFault = (metadata: ServerMetadata, issuer: string): string | undefined => {
  if (metadata.issuer !== issuer) return `The provider calls itself ${JSON.stringify(truncateText(String(metadata.issuer), 200))}.`;
  const missing = ENDPOINTS.find((name) => !isAddress(metadata[name], issuer));
  if (missing !== undefined) return `The provider names no ${missing} that can be used.`;
  const methods = metadata.code_challenge_methods_supported;
  if (Array.isArray(methods) && !methods.includes('S256')) return 'The provider does not support PKCE with S256.';
  return findCapabilityFault(metadata);
};

const ask = async (egress: Egress, issuer: string, organizationId: string): Promise<DiscoveredProvider> => {
  const way = createProviderFetch(egress, organizationId);
  try {
    const configuration: Configuration = await discovery(new URL(issuer), 'discovery', undefined, undefined, {
      [customFetch]: way.fetch,
      timeout: LIMITS.sso.requestMs / 1000,
      ...(isInsecure(issuer) ? { execute: [allowInsecureRequests] } : {}),
    });
    const metadata = structuredClone({ ...configuration.serverMetadata(), supportsPKCE: undefined }) as ServerMetadata;
    const fault = getFault(metadata, issuer);
    return fault === undefined ? { metadata } : { fault };
  } catch {
    return { fault: way.failure() ?? 'The response of the provider is not an OpenID provider configuration.' };
  }
};

/**
 * Fetches provider metadata (OpenID Connect Discovery) and caches it for some minutes. A failure is cached for some seconds, so that it
 * cannot cause repeated requests. The cache is per organization, so none learns what another requested.
 */
export const newDiscover = (egress: Egress): Discover => {
  const kept = new Map<string, Kept>();
  return (issuer, organizationId, afresh = false) => {
    const key = `${organizationId} ${issuer}`;
    const now = performance.now();
    const known = kept.get(key);
    if (known !== undefined && known.until > now && !afresh) return known.found;
    const found = ask(egress, issuer, organizationId);
    const begun: Kept = { until: now + LIMITS.sso.discoveryKeptMs, found };
    kept.delete(key);
    kept.set(key, begun);
    for (const oldest of kept.keys()) {
      if (kept.size <= LIMITS.sso.discoveriesMax) break;
      kept.delete(oldest);
    }
    void found.then((discovered) => {
      if ('fault' in discovered && kept.get(key) === begun) kept.set(key, { until: performance.now() + LIMITS.sso.failureKeptMs, found });
    });
    return found;
  };
};
