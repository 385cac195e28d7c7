/** The newest checkpoint of a log, in the form to anchor. */
export type SignedLog = {
  readonly organizationId: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  /** Signed note (C2SP tlog-checkpoint). */
  readonly note: string;
  /** Number of its leaves that the anchor has, as far as known. */
  readonly anchored: number;
  /** Returns the root of the tree with only the first leaves. */
  readonly rootAt: (earlier: number) => Promise<Buffer | undefined>;
  /** Returns the consistency proof from an earlier size (RFC 6962, 2.1.2). */
  readonly prove: (earlier: number) => Promise<readonly Buffer[]>;
};

/** Result of an attempt. Reasons are sentences for the operator without content of the anchor's response. */
export type AnchoredCheckpoint =
  | { readonly kind: 'placed'; readonly cosignature?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The anchor has another tree: the log was rolled back or rewritten. */
  | { readonly kind: 'conflict'; readonly reason: string };

/** An external location that keeps checkpoints. */
export type Anchor = {
  /** Kind and identity: another anchor of the kind has another name. */
  readonly name: string;
  /** Never throws because of the anchor. */
  readonly place: (log: SignedLog) => Promise<AnchoredCheckpoint>;
};

export const failAnchor = (reason: string): AnchoredCheckpoint => ({ kind: 'failed', reason });
export const conflictAnchor = (reason: string): AnchoredCheckpoint => ({ kind: 'conflict', reason });
