const unreachable = 'The destination could not be reached.';
const unverified = 'The certificate of the destination could not be verified.';
const insecure = 'A secure connection to the destination could not be made.';

/** What the system says, in words that give away nothing of the inside. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'The destination refused the connection.'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'The destination closed the connection before it had answered in full.'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, unreachable],
  [/^HPE_HEADER_OVERFLOW$/, 'The headers of the answer are too large.'],
  [/^HPE_/, 'The destination did not answer in valid HTTP.'],
  [/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/, unverified],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, insecure],
];

/** The sentence for an error of the connection. */
export const failureReason = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'The call to the destination failed.';
};
