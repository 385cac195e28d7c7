/** A JSON object whose members have not been validated. */
export type JsonObject = Readonly<Record<string, unknown>>;
