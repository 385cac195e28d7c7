const CALLBACK = '/v1/auth/sso/callback';

/**
 * Where a provider sends a person back to. One that tells its issuer in the answer can be mixed up with no other; of any other the path says
 * which connection it was, since a provider sends nobody to an address that was not registered there [mix-up attack, RFC 9207].
 */
export const callbackUrl = (baseUrl: string, connectionId: string | null): string =>
  `${baseUrl}${CALLBACK}${connectionId === null ? '' : `/${connectionId}`}`;
