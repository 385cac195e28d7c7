/** Types of fields: what a value of the type is, in words and in code. */
export type FieldType = 'string' | 'enum' | 'host' | 'ip' | 'integer' | 'boolean' | 'string_list' | 'json';

export type FieldTypeRow = {
  /** How a sentence for people names it. */
  readonly phrase: string;
  /** Whether a value found in a request is of the type; where it is not, a condition on it is unknown. */
  readonly holds: (value: unknown) => boolean;
  /** One spelling for values that can be spelled in several ways; applied to the rule's value and to the request's. */
  readonly canonical?: (text: string) => string;
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const hostSpelling = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();

export const FIELD_TYPES: Readonly<Record<FieldType, FieldTypeRow>> = {
  string: { phrase: 'text', holds: isText },
  enum: { phrase: 'one of a fixed list of words', holds: isText },
  host: { phrase: 'a host name', holds: isText, canonical: hostSpelling },
  ip: { phrase: 'an IP address', holds: isText, canonical: (address) => address.toLowerCase() },
  integer: { phrase: 'a whole number', holds: (value) => Number.isSafeInteger(value) },
  boolean: { phrase: 'true or false', holds: (value) => typeof value === 'boolean' },
  string_list: { phrase: 'a list of texts', holds: isTextList },
  json: { phrase: 'text, a number, or true or false', holds: () => true },
};
