/** The newest checkpoint of a log, as it is anchored. */
export type SignedLog = {
  readonly organizationId: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  /** Signed note (C2SP tlog-checkpoint). */
  readonly note: string;
  /** Leaves that the place has of it, as far as is known here. */
  readonly anchored: number;
  /** What the tree comes to whose leaves are the first ones of this one. */
  readonly rootAt: (earlier: number) => Promise<Buffer | undefined>;
  /** What shows that the tree of an earlier size is the beginning of this one (RFC 6962, 2.1.2). */
  readonly prove: (earlier: number) => Promise<readonly Buffer[]>;
};

/** What came of an attempt. Reasons are sentences for the operator, and hold nothing of what the place answered. */
export type Placed =
  | { readonly kind: 'placed'; readonly cosignature?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The place knows of another tree: the log was rolled back or written anew. */
  | { readonly kind: 'conflict'; readonly reason: string };

/** A place outside the installation where checkpoints are kept [anchor]. */
export type Anchor = {
  /** Its kind and which one it is: another place of the kind has another name. */
  readonly name: string;
  /** Never throws for what the place does. */
  readonly place: (log: SignedLog) => Promise<Placed>;
};

export const failed = (reason: string): Placed => ({ kind: 'failed', reason });
export const inConflict = (reason: string): Placed => ({ kind: 'conflict', reason });
