import { AUTHORIZATION_RESPONSE_ERROR, validateAuthResponse } from 'oauth4webapi';

/** A return that may be gone on with; that the person or the server refused; or that cannot be believed. */
export type ReadReturn = { readonly parameters: URLSearchParams } | { readonly fault: 'refused' | 'unbelievable' };

type Expected = { readonly state: string; readonly client_id: string; readonly issuer: string | undefined };

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined);

/**
 * Reads what an authorization server sent a browser back with: the state of the attempt, and the issuer where one is expected (RFC 9207), each
 * once. Where none is expected, one that is told means nothing: the address of the return says whose it is.
 */
export const readReturn = (returned: URLSearchParams, { state, client_id, issuer }: Expected): ReadReturn => {
  const parameters = new URLSearchParams(returned);
  if (issuer === undefined) parameters.delete('iss');
  const server = { issuer: issuer ?? 'none', authorization_response_iss_parameter_supported: issuer !== undefined };
  try {
    const believed = validateAuthResponse(server, { client_id }, parameters, state);
    // The library looks at the code only when it is sent on.
    const [code, ...others] = believed.getAll('code');
    return code && others.length === 0 ? { parameters: believed } : { fault: 'unbelievable' };
  } catch (error) {
    return { fault: codeOf(error) === AUTHORIZATION_RESPONSE_ERROR ? 'refused' : 'unbelievable' };
  }
};
