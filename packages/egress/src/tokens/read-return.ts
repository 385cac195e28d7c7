import { AUTHORIZATION_RESPONSE_ERROR, validateAuthResponse } from 'oauth4webapi';

/** A validated authorization response; a refusal by the user or the server; or one that cannot be trusted. */
export type ReadReturn = { readonly parameters: URLSearchParams } | { readonly fault: 'refused' | 'unbelievable' };

type Expected = { readonly state: string; readonly client_id: string; readonly issuer: string | undefined };

const getCode = (error: unknown): unknown => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined);

/**
 * Validates the parameters with which an authorization server redirected a browser: the state of the attempt, and the issuer if one is
 * expected
 * (RFC 9207), each exactly once. If none is expected, a returned issuer is ignored: the redirect URI identifies the server.
 */
export const readReturn = (returned: URLSearchParams, { state, client_id, issuer }: Expected): ReadReturn => {
  const parameters = new URLSearchParams(returned);
  if (issuer === undefined) parameters.delete('iss');
  const server = { issuer: issuer ?? 'none', authorization_response_iss_parameter_supported: issuer !== undefined };
  try {
    const believed = validateAuthResponse(server, { client_id }, parameters, state);
    // The library reads the code only when it is sent on.
    const [code, ...others] = believed.getAll('code');
    return code && others.length === 0 ? { parameters: believed } : { fault: 'unbelievable' };
  } catch (error) {
    return { fault: getCode(error) === AUTHORIZATION_RESPONSE_ERROR ? 'refused' : 'unbelievable' };
  }
};
