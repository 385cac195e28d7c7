/** Limits of imported documents: size, reading and retention. */
export const TOOL_IMPORT_LIMITS = {
  /** Characters of a document in a request body. */
  inlineCharactersMax: 200_000,
  /** Bytes of a file or a response, compressed or not; and decompressed. */
  documentBytesMax: 16_777_216,
  inflatedBytesMax: 33_554_432,
  /** Timeout of a fetch, from the request to the last byte. */
  fetchMs: 8_000,
  /** Concurrent uploads and fetches; one per organization. */
  arrivingMax: 4,
  /** Minimum average rate of an upload, after its first moments. */
  arrivingBytesPerSecondMin: 65_536,
  arrivingGraceMs: 2_000,
  /** Maximum duration of an upload: less than others wait for its slot, so that they get it before they are refused. */
  arrivingMs: 12_000,
  /** Time that an upload waits for a slot: less than a whole request may take to arrive. */
  arrivingWaitMs: 15_000,
  /** Documents that are read concurrently, each in a worker process; one per organization. */
  readingMax: 2,
  /** Processor time of a document, which does not depend on the load of the machine. */
  readingProcessorMs: 12_000,
  /** Timeout of such a process, and of waiting for one: longer than two documents in sequence, each with the start of its process. */
  readingMs: 17_000,
  readingWaitMs: 35_000,
  /** Keys that YAML merges into other objects, which are copied. */
  mergedKeysMax: 100_000,
  readingHeapBytesMax: 536_870_912,
  /** Size of a converted document, with every shared part counted as often as it is used. */
  treeValuesMax: 2_000_000,
  treeLevelsMax: 200,
  operationsMax: 2_000,
  /** Bytes of one proposal, and of all of a document, as JSON. */
  proposalBytesMax: 262_144,
  proposalsBytesMax: 25_165_824,
  /** Documents of one source in an environment; older ones are dropped. */
  perSourceMax: 3,
  /** Documents of one organization. */
  perOrganizationMax: 100,
  /** Tools applied in one transaction, and the time that one request may spend on them. */
  takenTogetherMax: 40,
  takingMs: 12_000,
} as const;
