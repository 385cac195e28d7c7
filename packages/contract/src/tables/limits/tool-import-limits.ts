/** Bounds of documents that tools are imported from, of reading them, and of what is kept of them. */
export const TOOL_IMPORT_LIMITS = {
  /** In the body of a request, as text. */
  inlineCharactersMax: 200_000,
  /** Of a file or of what an address answers, compressed or not; and of what a compressed one becomes. */
  documentBytesMax: 16_777_216,
  inflatedBytesMax: 33_554_432,
  /** An answer of an address, from the question to its last byte. */
  fetchMs: 8_000,
  /** Files that arrive, and answers that are fetched, at the same time: of one organization one. */
  arrivingMax: 4,
  /** What a file that arrives has to come with, on the average since it has its place, once the first moments are over. */
  arrivingBytesPerSecondMin: 65_536,
  arrivingGraceMs: 2_000,
  /** How long it may take in all: less than others wait for its place, who then have it before they are refused. */
  arrivingMs: 12_000,
  /** Waiting for such a place: less than a whole request may take to arrive. */
  arrivingWaitMs: 15_000,
  /** Documents that are read at the same time, each in a process of its own: of one organization one. */
  readingMax: 2,
  /** Processor time of a document, which does not depend on what else the machine does. */
  readingProcessorMs: 12_000,
  /** Of such a process, and waiting for one: longer than two documents one after the other, each with the start of its process. */
  readingMs: 17_000,
  readingWaitMs: 35_000,
  /** Keys that YAML merges into other objects, which are copied. */
  mergedKeysMax: 100_000,
  readingHeapBytesMax: 536_870_912,
  /** Size of a converted document, with every shared part counted as often as it is used. */
  treeValuesMax: 2_000_000,
  treeLevelsMax: 200,
  operationsMax: 2_000,
  /** Of one proposal, and of all of a document, as JSON. */
  proposalBytesMax: 262_144,
  proposalsBytesMax: 25_165_824,
  /** Of one source in an environment; older ones are dropped. */
  perSourceMax: 3,
  /** Of one organization. */
  perOrganizationMax: 100,
  /** Tools taken over in one transaction, and how long one request may go on with them. */
  takenTogetherMax: 40,
  takingMs: 12_000,
} as const;
