/** A start that cannot go on. The message is one plain sentence for the person who started it: what is wrong and what to do. */
export class DatabaseServerFault extends Error {
  override name = 'DatabaseServerFault';
}
