import type { ErrorObject } from 'ajv';
import type { Fault } from '../fault.ts';
import { describeSchemaError } from './describe-schema-error.ts';

export const FAULTS_MAX = 20;

const isChoice = (keyword: string): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/**
 * Returns the faults a caller can act on, at most 20, one per position and sentence. If a value matches none of several forms, the reasons
 * of
 * the forms are joined in one sentence, since matching any one of them is enough.
 */
export const findSchemaFaults = (errors: readonly ErrorObject[], prefix: string): readonly Fault[] => {
  const choices = new Set(errors.filter(({ keyword }) => isChoice(keyword)).map(({ instancePath }) => prefix + instancePath));
  const messages = new Map<string, Set<string>>();
  for (const error of errors) {
    // `if` only states that `then` or `else` did not fit, which their own errors state better; so do the names' own errors.
    if (error.keyword === 'if' || error.propertyName !== undefined) continue;
    const { pointer, message } = describeSchemaError(error, prefix);
    if (messages.size >= FAULTS_MAX && !messages.has(pointer)) continue;
    const known = messages.get(pointer) ?? new Set();
    messages.set(pointer, known.add(message));
  }
  return [...messages].map(([pointer, found]) => {
    const general = [...found].filter((message) => !message.includes('one of the allowed schemas'));
    const parts = general.length === 0 ? [...found] : general;
    return { pointer, message: parts.slice(0, 5).join(choices.has(pointer) ? ', or ' : ', and ') };
  });
};
