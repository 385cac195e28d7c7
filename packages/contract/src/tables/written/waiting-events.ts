import type { EventType } from '../events.ts';

/**
 * Types that nothing writes yet, and what each waits for: every other type is written by the row of an endpoint or by a job. A type that
 * becomes written leaves this table.
 */
export const WAITING_EVENTS: Partial<Record<EventType, string>> = {};

export type WaitingEventType = never;

export const isWaiting = (type: EventType): type is WaitingEventType => type in WAITING_EVENTS;
