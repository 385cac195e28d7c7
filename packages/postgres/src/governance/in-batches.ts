/** Read at once: parsing it takes a few milliseconds. */
const BATCH_BYTES = 262_144;

/** In their order, so much together that it is read at once; what is larger by itself is a batch of its own. */
export const inBatches = <Head>(heads: readonly Head[], bytesOf: (head: Head) => number): Head[][] => {
  const batches: Head[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const head of heads) {
    bytes += bytesOf(head);
    if (bytes > BATCH_BYTES) {
      batches.push([]);
      bytes = bytesOf(head);
    }
    batches.at(-1)?.push(head);
  }
  return batches;
};
