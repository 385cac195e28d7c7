import { checkStorable } from '../validate/check-storable.ts';
import { newTally } from '../validate/validate-condition.ts';
import { validateRule } from '../validate/validate-rule.ts';
import { checkTally } from '../validate/validate-version.ts';
import type { Fault } from '../values/faults.ts';
import { type Invariant, toProbeRule } from './invariant.ts';

const RULE_MEMBERS = /^\/rules\/0(?=\/(when|if_missing)|$)/;

/** Returns every fault of an invariant's condition, with pointers that start at `/when`, an empty invariant included. */
export const findInvariantFaults = (invariant: Invariant): Fault[] => {
  const faults: Fault[] = [];
  checkStorable(faults, invariant.when);
  const tally = newTally(faults);
  if (faults.length === 0) {
    validateRule(tally, '/rules/0', toProbeRule(invariant), new Set());
    checkTally(tally);
  }
  const found = faults.map(({ pointer, message }) => ({ pointer: pointer.replace(RULE_MEMBERS, ''), message }));
  const { at_least, at_most } = invariant;
  if (at_least === undefined && at_most === undefined) {
    found.push({ pointer: '', message: 'Set "at_least" (this strict or stricter), "at_most" (no stricter than this), or both.' });
  } else if ((at_least ?? 'ALLOW') === 'ALLOW' && (at_most ?? 'BLOCK') === 'BLOCK') {
    found.push({
      pointer: '',
      message: 'Every decision is at least ALLOW and at most BLOCK, so this has no effect; choose a narrower effect.',
    });
  }
  return found;
};
