/** At once where everything is known, or once something else has answered: a promise costs a turn of the event loop. */
export type Soon<Value> = Value | Promise<Value>;
