/** One server-sent event. `event` is its type, `message` if the stream states none. */
export type ServerEvent = { readonly event: string; readonly data: string; readonly id?: string };

/** Receives each event of a stream in order, secrets masked. Returns true for the one whose data is the answer, which ends the stream. */
export type OnEvent = (event: ServerEvent) => boolean;
