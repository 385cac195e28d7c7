import type { EventFacts } from './noun-facts.ts';
import { type NOUNS, nounEntries } from './nouns.ts';

type Nouns = typeof NOUNS;
/** All members of a union of objects as one object. */
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? { readonly [Key in keyof All]: All[Key] }
  : never;
type MergedEvents<Member extends 'events' | 'addedEvents'> = Merged<
  { [Noun in keyof Nouns]: Nouns[Noun] extends { readonly [Each in Member]: infer Rows } ? Rows : never }[keyof Nouns]
>;

/** Returns the word before the dot. */
const eventFamily = (type: string): string => type.slice(0, type.indexOf('.'));
const compareFamilies = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  eventFamily(left) === eventFamily(right) ? 0 : eventFamily(left) < eventFamily(right) ? -1 : 1;

/** The 156 types of the published interface, 32 of them for webhooks, ordered by their first word. Consumers branch on the names, so a name never changes. */
export const EVENTS = Object.fromEntries(
  nounEntries.flatMap(([, { events = {} }]) => Object.entries(events)).toSorted(compareFamilies),
) as MergedEvents<'events'>;

/**
 * Types in addition to those 156. Readers of the record see them; no webhook subscription can name them, since clients know the 156 as a
 * closed list.
 */
export const ADDED_EVENTS = Object.fromEntries(
  nounEntries.flatMap(([, { addedEvents = {} }]) => Object.entries(addedEvents)).map(([type, row]) => [type, { ...row, webhook: false }]),
) as Readonly<Record<keyof MergedEvents<'addedEvents'>, EventFacts>>;

export type AddedEventType = keyof typeof ADDED_EVENTS;

export type EventType = keyof typeof EVENTS | AddedEventType;

/** Every type that may be in the record. */
export const EVENT_ROWS: Readonly<Record<EventType, EventFacts>> = { ...EVENTS, ...ADDED_EVENTS };

export type WebhookEventType = {
  [Type in keyof typeof EVENTS]: (typeof EVENTS)[Type]['webhook'] extends true ? Type : never;
}[keyof typeof EVENTS];

/** The 156 types. */
export const EVENT_TYPES = Object.keys(EVENTS) as readonly (keyof typeof EVENTS)[];

export const ADDED_EVENT_TYPES = Object.keys(ADDED_EVENTS) as readonly AddedEventType[];

export const ALL_EVENT_TYPES: readonly EventType[] = [...EVENT_TYPES, ...ADDED_EVENT_TYPES];

export const isWebhookEventType = (type: EventType): type is WebhookEventType => EVENT_ROWS[type].webhook;

export const WEBHOOK_EVENT_TYPES: readonly WebhookEventType[] = ALL_EVENT_TYPES.filter(isWebhookEventType);
