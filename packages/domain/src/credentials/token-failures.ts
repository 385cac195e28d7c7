import { SETTINGS } from '@svc/contract/tables/limits.ts';

/** Stored words for why no access token was obtained. They never contain server text, which could be derived from what was sent. */
export const TOKEN_FAILURES = {
  invalid_grant: 'The server refused the refresh token. Reconnect the credential, or rotate it with a new refresh token.',
  invalid_client: 'The server did not accept the client: rotate the credential with what the application proves itself by now.',
  unauthorized_client: 'The server does not let this client use the grant: allow it there.',
  unsupported_grant_type: 'The server does not know the grant: store a credential with another one.',
  invalid_scope: 'The server refused the scope: store a credential with another one.',
  invalid_request: 'The server did not understand the request: compare the terms of the credential with what it wants.',
  invalid_target: 'The server refused the resource or audience: store a credential with another one.',
  other: 'The server refused, for a reason that RFC 6749 has no word for: look there.',
  unusable: 'The server answered what is no token that can be sent.',
  redirect: 'The server answered with a redirect, which is not followed: store a credential with the address that it leads to.',
  failing: 'The server answered that it failed.',
  timeout: 'The server did not answer in time.',
  broken_off: 'The connection to the server broke off, or its answer was larger than any with a token.',
  unreachable: 'The server could not be reached.',
  forbidden: `The address of the server is not one that may be called. The operator can allow a private network with ${SETTINGS.egressAllowedCidrs}.`,
  plain: `The server is not called without TLS. The operator can allow it within private networks with ${SETTINGS.credentialsOverHttp}.`,
  disabled: 'Calls to the outside are switched off in this installation (GATEWAY_ALLOW_REAL_EGRESS).',
  busy: 'The organization has too many calls under way.',
} as const;

export type TokenFailure = keyof typeof TOKEN_FAILURES;

const isKnown = (word: string): word is TokenFailure => Object.hasOwn(TOKEN_FAILURES, word);

/** The sentence for a stored word. */
export const describeTokenFailure = (word: string): string => TOKEN_FAILURES[isKnown(word) ? word : 'other'];

/** Codes of RFC 6749 and of RFC 8707, and equivalents of some servers. */
const CODES: Readonly<Record<string, TokenFailure>> = {
  ...{ invalid_grant: 'invalid_grant', bad_refresh_token: 'invalid_grant', invalid_client: 'invalid_client' },
  ...{ unauthorized_client: 'unauthorized_client', unsupported_grant_type: 'unsupported_grant_type' },
  ...{ invalid_scope: 'invalid_scope', invalid_request: 'invalid_request', invalid_target: 'invalid_target' },
};

/** The word for an `error` that a server answered. */
export const failureOfCode = (code: string): TokenFailure => (Object.hasOwn(CODES, code) ? (CODES[code] as TokenFailure) : 'other');

/** Returns the failure if no refresh token was sent: a server that refuses the grant then refuses the client or its credential. */
export const failureOfClient = (failure: TokenFailure): TokenFailure => (failure === 'invalid_grant' ? 'invalid_client' : failure);

/** Failures that only people can end, since the same is refused again. */
export const isFinal = (failure: TokenFailure): boolean => failure === 'invalid_grant';

/** Returns true if the server may have acted: it may have rotated the refresh token. */
export const isDoubtful = (failure: TokenFailure): boolean =>
  failure === 'failing' || failure === 'timeout' || failure === 'broken_off' || failure === 'unusable';
