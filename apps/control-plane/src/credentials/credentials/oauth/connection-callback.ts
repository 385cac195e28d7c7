/**
 * Returns the redirect URI of a credential. Each credential has its own, so that a response of one server is never taken for another's,
 * even if the server sends no issuer (mix-up attack).
 */
export const buildRedirectUri = (baseUrl: string, credentialId: string): string => `${baseUrl}/v1/credentials/${credentialId}/callback`;
