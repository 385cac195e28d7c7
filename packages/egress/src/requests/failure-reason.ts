const unreachable = 'The destination could not be reached.';
const unverified = 'The certificate of the destination could not be verified.';
const insecure = 'A secure connection to the destination could not be established.';
const unknownReason = 'The call to the destination failed.';

/** Sentences for system errors, which reveal nothing internal. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'The destination refused the connection.'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'The destination closed the connection before the response was complete.'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, unreachable],
  [/^HPE_HEADER_OVERFLOW$/, 'The headers of the response are too large.'],
  [/^HPE_/, 'The destination did not return a valid HTTP response.'],
  [/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/, unverified],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, insecure],
];

/** Error codes of a connection that was never established. */
const NOT_CONNECTED = /^(ECONN|ETIMEDOUT$|EHOST|ENET|EADDRNOTAVAIL$|EPIPE$|EACCES$|EPERM$|EINVAL$)/;

/** Returns true for errors with a system code; an error of our own code has none, and is not caused by the peer. */
export const isConnectionError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

/** Returns the sentence for a connection error. */
export const failureReason = (error: unknown): string =>
  (isConnectionError(error) ? reasons.find(([pattern]) => pattern.test(error.code))?.[1] : undefined) ?? unknownReason;

/** Returns true if the sentence is about TLS. */
export const isTlsReason = (reason: string): boolean => reason === unverified || reason === insecure;

/** Returns true if the error is about a connection that was never established. */
export const wasNotConnected = (error: unknown): boolean => isConnectionError(error) && NOT_CONNECTED.test(error.code);
