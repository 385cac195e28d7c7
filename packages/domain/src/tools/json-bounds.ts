import type { Fault } from './fault.ts';
import { formatPointer } from './json-pointer.ts';

export type JsonBounds = {
  /** Objects and arrays inside each other. */
  readonly depthMax: number;
  /** Of its JSON text in UTF-8. */
  readonly bytesMax: number;
};

const nameMax = 256;
const encoder = new TextEncoder();

const textFault = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'must not hold the character U+0000';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode';
};

const nameFault = (name: string): string | undefined => {
  if (name.length > nameMax) return `must not have member names longer than ${nameMax} characters`;
  if (name === '__proto__') return 'must not have a member named __proto__';
  return textFault(name);
};

const find = (value: unknown, path: string[], depthMax: number): Fault | undefined => {
  if (typeof value === 'string') {
    const message = textFault(value);
    return message === undefined ? undefined : { pointer: formatPointer(path), message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length >= depthMax) return { pointer: formatPointer(path), message: `must not nest deeper than ${depthMax} levels` };
  const isArray = Array.isArray(value);
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const message = isArray ? undefined : nameFault(name);
    if (message !== undefined) return { pointer: formatPointer(path), message };
    path.push(name);
    const fault = find((value as Readonly<Record<string, unknown>>)[name], path, depthMax);
    if (fault !== undefined) return fault;
    path.pop();
  }
  return undefined;
};

/** Escaped, a UTF-16 unit takes no more than this in JSON; no number, boolean or null takes more than a number's bound. */
const UNIT_BYTES_MAX = 6;
const NUMBER_BYTES_MAX = 25;
/** Quotes of a name or text, a colon and a comma, or a pair of brackets. */
const MARKS_BYTES = 6;

/** No less than the value takes as JSON, and far cheaper to tell than how much that is. */
const bytesAtMost = (value: unknown): number => {
  if (typeof value === 'string') return value.length * UNIT_BYTES_MAX + MARKS_BYTES;
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES_MAX;
  let bytes = MARKS_BYTES;
  for (const name in value)
    bytes += name.length * UNIT_BYTES_MAX + MARKS_BYTES + bytesAtMost((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
};

/**
 * The first place where a JSON value is more than anything after this can bear: too deep or large, text that PostgreSQL or canonical JSON
 * cannot hold (U+0000, lone surrogates), or a member that would become a prototype.
 */
export const findOutOfBounds = (value: unknown, bounds: JsonBounds): Fault | undefined => {
  const fault = find(value, [], bounds.depthMax);
  if (fault !== undefined) return fault;
  const fits = bytesAtMost(value) <= bounds.bytesMax || encoder.encode(JSON.stringify(value) ?? '').length <= bounds.bytesMax;
  return fits ? undefined : { pointer: '', message: `must be at most ${bounds.bytesMax} bytes of JSON` };
};
