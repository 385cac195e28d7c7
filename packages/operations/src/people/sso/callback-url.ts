const CALLBACK = '/v1/auth/sso/callback';

/**
 * Returns the redirect URI. A provider that states its issuer in the response cannot be mixed up; for any other the path names the
 * connection, since a provider only redirects to registered addresses (mix-up attack, RFC 9207).
 */
export const getCallbackUrl = (baseUrl: string, connectionId: string | null): string =>
  `${baseUrl}${CALLBACK}${connectionId === null ? '' : `/${connectionId}`}`;
