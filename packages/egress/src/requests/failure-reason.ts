const unreachable = 'The destination could not be reached.';
const unverified = 'The certificate of the destination could not be verified.';
const insecure = 'A secure connection to the destination could not be established.';
const unknownReason = 'The call to the destination failed.';

/** What the system says, in words that give away nothing of the inside. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'The destination refused the connection.'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'The destination closed the connection before the response was complete.'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, unreachable],
  [/^HPE_HEADER_OVERFLOW$/, 'The headers of the response are too large.'],
  [/^HPE_/, 'The destination did not return a valid HTTP response.'],
  [/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/, unverified],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, insecure],
];

/** What became of a connection that never stood. */
const NOT_CONNECTED = /^(ECONN|ETIMEDOUT$|EHOST|ENET|EADDRNOTAVAIL$|EPIPE$|EACCES$|EPERM$|EINVAL$)/;

/** Errors of the system and of its connections carry a code; an error of our own code does not, and is not the peer's doing. */
export const isConnectionError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

/** The sentence for an error of the connection. */
export const failureReason = (error: unknown): string =>
  (isConnectionError(error) ? reasons.find(([pattern]) => pattern.test(error.code))?.[1] : undefined) ?? unknownReason;

/** Whether that sentence is of TLS. */
export const isTlsReason = (reason: string): boolean => reason === unverified || reason === insecure;

/** Whether a connection that was never made is what the error is about. */
export const wasNotConnected = (error: unknown): boolean => isConnectionError(error) && NOT_CONNECTED.test(error.code);
