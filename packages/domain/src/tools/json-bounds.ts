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
  for (const [name, member] of Object.entries(value)) {
    const message = Array.isArray(value) ? undefined : nameFault(name);
    if (message !== undefined) return { pointer: formatPointer(path), message };
    path.push(name);
    const fault = find(member, path, depthMax);
    if (fault !== undefined) return fault;
    path.pop();
  }
  return undefined;
};

/**
 * The first place where a JSON value is more than anything after this can bear: too deep or large, text that PostgreSQL or canonical JSON
 * cannot hold (U+0000, lone surrogates), or a member that would become a prototype.
 */
export const findOutOfBounds = (value: unknown, bounds: JsonBounds): Fault | undefined => {
  const fault = find(value, [], bounds.depthMax);
  if (fault !== undefined) return fault;
  const text = JSON.stringify(value) ?? '';
  const fits = text.length * 3 <= bounds.bytesMax || encoder.encode(text).length <= bounds.bytesMax;
  return fits ? undefined : { pointer: '', message: `must be at most ${bounds.bytesMax} bytes of JSON` };
};
