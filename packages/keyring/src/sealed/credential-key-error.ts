/**
 * Thrown for a wrong key, moved row, flipped bit or unreadable master key.
 * The message does not say which, and contains no byte of either.
 */
export class CredentialKeyError extends Error {
  override readonly name = 'CredentialKeyError';
}
