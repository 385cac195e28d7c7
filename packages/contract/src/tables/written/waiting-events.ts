import type { EventType } from '../events.ts';

const waiting = <const Type extends EventType, const For extends string>(capability: For, types: readonly Type[]) =>
  Object.fromEntries(types.map((type) => [type, capability])) as Readonly<Record<Type, For>>;

/**
 * Types that nothing writes yet, and what has to be there before one does: every other type is written by the row of an endpoint or by a job.
 * A type that comes to be written leaves this table.
 */
export const WAITING_EVENTS = {
  ...waiting('the registry', ['registry.listing_published', 'registry.listing_unpublished']),
} as const satisfies Partial<Record<EventType, string>>;

export type WaitingEventType = keyof typeof WAITING_EVENTS;

export const isWaiting = (type: EventType): type is WaitingEventType => type in WAITING_EVENTS;
