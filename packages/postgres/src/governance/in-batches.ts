/** Parsed at once: takes a few milliseconds. */
const BATCH_BYTES = 262_144;

/** Groups items in order, up to a size that is read at once; a larger one is a batch by itself. */
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
