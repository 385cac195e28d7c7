import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findRepeatedMember } from '../../events/repeated-member.ts';

type ReadJson = { readonly value: unknown } | { readonly fault: string };

const QUOTE = 34;
const BACKSLASH = 92;

/** True if brackets nest deeper than `max`. Takes one pass and no stack, so that no text is too deep to be measured. */
const isDeeper = (text: string, max: number): boolean => {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return false;
};

/** Reads JSON of a signed document. Refuses deep nesting and repeated members, so that two readers never see two documents. */
export const readStrictJson = (text: string): ReadJson => {
  if (text.length > LIMITS.trust.documentCharsMax) return { fault: 'is longer than is read' };
  if (isDeeper(text, LIMITS.trust.depthMax)) return { fault: `nests deeper than ${LIMITS.trust.depthMax} levels` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'is not valid JSON' };
  }
  const repeated = findRepeatedMember(text, value);
  return repeated === undefined ? { value } : { fault: `has the member ${repeated} more than once` };
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
