import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { addFault, below, type Fault } from '../values/faults.ts';

const textFault = (text: string): string | null => {
  if (text.includes('\0')) return 'Text must not hold the character U+0000; leave it out.';
  return text.isWellFormed() ? null : 'Text must not hold half of a surrogate pair; send whole characters.';
};

const valueFault = (value: unknown, depth: number): string | null => {
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'The number is too large; write it as text.';
  if (typeof value === 'object' && value !== null && depth >= POLICY_LIMITS.nesting_max) {
    return `Objects and lists may be nested ${POLICY_LIMITS.nesting_max} deep.`;
  }
  return null;
};

/** Notes every value that a database could not keep as it stands, wherever it is. Walks without recursion, so no depth overflows it. */
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
      else addFault(faults, pointer, `A member's name cannot be kept: ${keyFault}`);
    }
  }
};
