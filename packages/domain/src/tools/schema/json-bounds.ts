import type { Fault } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';

export type JsonBounds = {
  /** Objects and arrays inside each other. */
  readonly depthMax: number;
  /** Size of its JSON text in UTF-8. */
  readonly bytesMax: number;
};

const nameMax = 256;
const encoder = new TextEncoder();

const textFault = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'must not contain the character U+0000';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode';
};

const nameFault = (name: string): string | undefined => {
  if (name.length > nameMax) return `must not have member names longer than ${nameMax} characters`;
  if (name === '__proto__') return 'must not have a member named __proto__';
  return textFault(name);
};

/** Maximum bytes of an escaped UTF-16 unit in JSON; a number, boolean or null never exceeds a number's bound. */
const UNIT_BYTES_MAX = 6;
const NUMBER_BYTES_MAX = 25;
/** Quotes of a name or text, a colon and a comma, or a pair of brackets. */
const MARKS_BYTES = 6;

/** The path of a fault, from the inside out. */
type Found = { readonly path: readonly string[]; readonly message: string };

const foundHere = (message: string): Found => ({ path: [], message });

/** Returns an upper bound of the JSON size, which is far cheaper than the exact size; or a fault. */
const measure = (value: unknown, levels: number): number | Found => {
  if (typeof value === 'string') {
    const message = textFault(value);
    return message === undefined ? value.length * UNIT_BYTES_MAX + MARKS_BYTES : foundHere(message);
  }
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES_MAX;
  if (levels === 0) return foundHere('');
  return Array.isArray(value) ? measureList(value, levels - 1) : measureMembers(value as Members, levels - 1);
};

type Members = Readonly<Record<string, unknown>>;

const below = ({ path, message }: Found, name: string): Found => ({ path: [...path, name], message });

const measureList = (list: readonly unknown[], levels: number): number | Found => {
  let bytes = MARKS_BYTES;
  for (let index = 0; index < list.length; index += 1) {
    const inner = measure(list[index], levels);
    if (typeof inner !== 'number') return below(inner, String(index));
    bytes += inner;
  }
  return bytes;
};

const measureMembers = (members: Members, levels: number): number | Found => {
  let bytes = MARKS_BYTES;
  for (const name of Object.keys(members)) {
    const message = nameFault(name);
    if (message !== undefined) return foundHere(message);
    const inner = measure(members[name], levels);
    if (typeof inner !== 'number') return below(inner, name);
    bytes += name.length * UNIT_BYTES_MAX + MARKS_BYTES + inner;
  }
  return bytes;
};

/**
 * Returns the first position at which a JSON value exceeds the limits of later stages: too deep or large, text that PostgreSQL or canonical
 * JSON
 * cannot represent (U+0000, unpaired surrogates), or a member that would become a prototype.
 */
export const findOutOfBounds = (value: unknown, bounds: JsonBounds): Fault | undefined => {
  const measured = measure(value, bounds.depthMax);
  if (typeof measured !== 'number') {
    const message = measured.message === '' ? `must not nest deeper than ${bounds.depthMax} levels` : measured.message;
    return { pointer: formatPointer(measured.path.toReversed()), message };
  }
  const fits = measured <= bounds.bytesMax || encoder.encode(JSON.stringify(value) ?? '').length <= bounds.bytesMax;
  return fits ? undefined : { pointer: '', message: `must be at most ${bounds.bytesMax} bytes of JSON` };
};
