import type { ServerMetadata } from 'openid-client';

/** Whether the path of the return has to say which connection it was: its id, or null where the provider tells its issuer itself. */
export const redirectUriOf = (
  { authorization_response_iss_parameter_supported: tells }: ServerMetadata,
  connectionId: string,
): string | null => (tells === true ? null : connectionId);
