/** What is wrong with the master key or the way to it: one sentence for whoever operates the machine, with the remedy and without a byte of a key. */
export class KeyFault extends Error {
  override readonly name = 'KeyFault';
}
