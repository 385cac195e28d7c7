import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { addFault, below, type Fault } from '../values/faults.ts';

const textFault = (text: string): string | null => {
  if (text.includes('\0')) return 'Text must not contain the character U+0000; remove it.';
  return text.isWellFormed() ? null : 'Text must be well-formed Unicode, without unpaired surrogates.';
};

const valueFault = (value: unknown, depth: number): string | null => {
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'The number is too large; send it as a string.';
  if (typeof value === 'object' && value !== null && depth >= POLICY_LIMITS.nesting_max) {
    return `Objects and lists must be nested at most ${POLICY_LIMITS.nesting_max} levels deep.`;
  }
  return null;
};

/**
 * Notes every value that a database could not store unchanged, at any position. Walks without recursion, so no depth overflows the stack.
 */
export const checkStorable = (faults: Fault[], body: unknown): void => {
  const open: { value: unknown; pointer: string; depth: number }[] = [{ value: body, pointer: '', depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, pointer, depth } = place;
    const fault = valueFault(value, depth);
    if (fault !== null) {
      addFault(faults, pointer, fault);
      continue;
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      const keyFault = textFault(key);
      if (keyFault === null) open.push({ value: member, pointer: below(pointer, key), depth: depth + 1 });
      else addFault(faults, pointer, `The member name cannot be stored: ${keyFault}`);
    }
  }
};
