import type { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EventView } from '@svc/domain/events/audit-events/fits-view.ts';
import { newChannel, type StreamChannel } from './channel.ts';
import type { Framed } from './framed.ts';
import type { StreamListener } from './readers.ts';

export type HubBounds = { readonly [Name in keyof typeof LIMITS.streams]: number };

/** Creates channels by view, with one bound on the bytes held for slow readers in all of them. */
export const newChannels = (bounds: HubBounds) => {
  const byView = new Map<string, StreamChannel>();
  const dropSlowest = (): void => {
    let largest: StreamChannel | undefined;
    let sum = 0;
    for (const channel of byView.values()) {
      sum += channel.heldBytes();
      if (channel.heldBytes() > (largest?.heldBytes() ?? 0)) largest = channel;
    }
    if (sum <= bounds.waitingBytesTotalMax || largest === undefined) return;
    largest.dropLast();
    dropSlowest();
  };
  return {
    publish: (events: readonly Framed[]): void => {
      for (const [key, channel] of byView) {
        if (channel.isEmpty()) byView.delete(key);
        else channel.publish(events);
      }
      dropSlowest();
    },
    listen: (view: EventView): StreamListener => {
      const key = JSON.stringify(view);
      const channel = byView.get(key) ?? newChannel(view, bounds);
      byView.set(key, channel);
      return channel.listen();
    },
    endAll: (): void => {
      for (const channel of byView.values()) channel.endAll();
      byView.clear();
    },
  };
};
