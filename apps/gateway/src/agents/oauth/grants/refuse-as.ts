import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';

export type OauthError =
  | 'unsupported_grant_type'
  | 'invalid_client'
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_scope';

/** Builds a refusal with its error word of RFC 6749, RFC 8693 or RFC 8707. */
export const buildOauthRefusal = (oauth_error: OauthError, message: string): Refusal<'UNPROCESSABLE'> =>
  buildRefusal('UNPROCESSABLE', message, { oauth_error });
