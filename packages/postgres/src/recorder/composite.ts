import type { WireBytes } from './wire-bytes.ts';

/** Types of fields, by the numbers they have in every PostgreSQL. */
const TYPE_OIDS = { text: 25, json: 114, bigint: 20, bytea: 17, timestamptz: 1184 } as const;

/** How a field is read from its row: a safe integer for bigint, hex digits for bytea, ISO 8601 for timestamptz, and text unchanged. */
export type CompositeField<Row> =
  | { readonly type: 'bigint'; readonly read: (row: Row) => number | null }
  | { readonly type: Exclude<keyof typeof TYPE_OIDS, 'bigint'>; readonly read: (row: Row) => string | null };

/** Keyed by name, in the order of the composite type. */
export type Fields<Row> = Readonly<Record<string, CompositeField<Row>>>;

const LONG_BYTES = 8;
const TWO_TO_32 = 4_294_967_296;
const OF_NULL = -1;
const HEX = /^(?:[0-9a-f]{2})*$/;
/** PostgreSQL counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const MICROS_PER_MS = 1_000;

/** A value that its type cannot hold; nothing of its batch was sent. */
export class UnsendableValue extends Error {}

const long = (to: WireBytes, value: number): void => {
  const high = Math.floor(value / TWO_TO_32);
  to.int32(LONG_BYTES);
  to.int32(high);
  to.int32(value - high * TWO_TO_32);
};

const safeLong = (to: WireBytes, value: number): void => {
  if (!Number.isSafeInteger(value)) throw new UnsendableValue(`${value} is no safe integer`);
  long(to, value);
};

const instant = (to: WireBytes, text: string): void => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new UnsendableValue(`${text} is no instant`);
  long(to, (ms - EPOCH_MS) * MICROS_PER_MS);
};

const hex = (to: WireBytes, digits: string): void => {
  if (!HEX.test(digits)) throw new UnsendableValue('these are no hex digits');
  to.hex(digits);
};

const writeText = (to: WireBytes, type: Exclude<CompositeField<never>['type'], 'bigint'>, value: string): void => {
  if (type === 'timestamptz') instant(to, value);
  else if (type === 'bytea') hex(to, value);
  else to.text(value);
};

const writeField = <Row>(to: WireBytes, { type, read }: CompositeField<Row>, row: Row): void => {
  to.int32(TYPE_OIDS[type]);
  const value = read(row);
  if (value === null) to.int32(OF_NULL);
  else if (type === 'bigint') safeLong(to, value as number);
  else writeText(to, type, value as string);
};

export const writeFields = <Row>(to: WireBytes, fields: readonly CompositeField<Row>[], row: Row): void => {
  for (const field of fields) writeField(to, field, row);
};

/**
 * Placeholder for the number of a type created in the database, and of an array of it. Such numbers differ per database, so
 * PostgreSQL compares only those of built-in types.
 */
export const OWN_TYPE = 16_384;

/** A one-dimensional array of composite values; `write` writes one value: how many fields it has, and each. */
export const writeArray = <Row>(to: WireBytes, rows: readonly Row[], write: (row: Row) => void): void => {
  to.int32(1);
  to.int32(0);
  to.int32(OWN_TYPE);
  to.int32(rows.length);
  to.int32(1);
  for (const row of rows) {
    const opened = to.open();
    write(row);
    to.close(opened);
  }
};
