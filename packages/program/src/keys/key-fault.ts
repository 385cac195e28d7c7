/** A fault of the master key or of how it is provided: one sentence for the operator, with the remedy and without a byte of a key. */
export class KeyFault extends Error {
  override readonly name = 'KeyFault';
}
