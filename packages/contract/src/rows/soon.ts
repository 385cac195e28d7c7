/** A value, or a promise if something must be awaited first: a promise costs an event-loop tick. */
export type MaybePromise<Value> = Value | Promise<Value>;
