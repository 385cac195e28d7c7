/** A value, or a promise if something must be awaited first: a promise costs an event-loop tick. */
export type Soon<Value> = Value | Promise<Value>;
