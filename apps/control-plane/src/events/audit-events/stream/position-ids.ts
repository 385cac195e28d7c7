import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TextSeal } from '@svc/keyring/tokens/sealed-text.ts';
import type { FeedPosition } from '@svc/postgres/audit/read-feed.ts';

/** A position, and when it was the last one. */
export type StreamPosition = { readonly position: FeedPosition; readonly atMs: number };

/** Ids of a stream. They name a position in the feed and disclose nothing about it to their holder. */
export type PositionIds = {
  readonly idOf: (position: FeedPosition, atMs: number) => string;
  /** Undefined for an id that was not created here. */
  readonly read: (id: string) => StreamPosition | undefined;
};

const RADIX = 36;
const PARTS = /^([0-9a-z]{1,12})\.(\d{1,20})\.([\w]{0,40})$/;

export const newPositionIds = ({ seal, open }: TextSeal): PositionIds => ({
  idOf: ({ transaction_id, id }, atMs) => seal(`${atMs.toString(RADIX)}.${transaction_id}.${id}`),
  read: (sealed) => {
    const [, at, transaction_id, id] = (sealed.length > LIMITS.streams.lastEventIdCharsMax ? undefined : open(sealed))?.match(PARTS) ?? [];
    if (at === undefined || transaction_id === undefined || id === undefined) return undefined;
    return { position: { transaction_id, id }, atMs: Number.parseInt(at, RADIX) };
  },
});
