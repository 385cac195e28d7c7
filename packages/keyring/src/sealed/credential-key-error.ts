/**
 * A key or a sealed value is not what it must be: wrong key, moved row, flipped bit, unreadable master key.
 * The message never tells which, nor holds a byte of either.
 */
export class CredentialKeyError extends Error {
  override readonly name = 'CredentialKeyError';
}
