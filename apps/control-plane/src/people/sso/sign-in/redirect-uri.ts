import type { ServerMetadata } from 'openid-client';

/** Returns the redirect URI. It names the connection id unless the provider states its issuer itself. */
export const buildRedirectUri = (
  { authorization_response_iss_parameter_supported: tells }: ServerMetadata,
  connectionId: string,
): string | null => (tells === true ? null : connectionId);
