import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { writeJsonText } from '@svc/domain/events/json-text.ts';
import { frameText } from '@svc/http/wires/stream/write-frames.ts';
import type { FeedEvent } from '@svc/postgres/audit/read-feed.ts';
import type { PositionIds } from './position-ids.ts';

/** An event with its stream text, which is encoded once, and only if someone listens. */
export type Framed = { readonly event: AuditEvent; readonly text: () => string };

/** The number of omitted bytes is not stated for an event that is too deep to encode. */
const toJson = (event: AuditEvent): string => {
  const json = writeJsonText(event);
  if (json === undefined) return JSON.stringify({ ...event, data: { left_out: true } });
  if (Buffer.byteLength(json) <= LIMITS.streams.eventBytesMax) return json;
  return JSON.stringify({ ...event, data: { left_out: true, bytes: Buffer.byteLength(json) } });
};

export const frameEvents = (events: readonly FeedEvent[], ids: PositionIds, nowMs: number): Framed[] =>
  events.map(({ position, event }) => {
    let text: string | undefined;
    return {
      event,
      text: () => {
        text ??= frameText({ id: ids.idOf(position, nowMs) }, toJson(event));
        return text;
      },
    };
  });
