import type { ControlState } from '@svc/contract/tables/compliance/controls.ts';

/**
 * Combines several states: met if all applicable ones are, not met if none is in any part, and partial in between. Not applicable if none
 * applies.
 */
export const stateOfAll = (states: readonly ControlState[]): ControlState => {
  const applicable = states.filter((state) => state !== 'NOT_APPLICABLE');
  if (applicable.length === 0) return 'NOT_APPLICABLE';
  if (applicable.every((state) => state === 'MET')) return 'MET';
  return applicable.every((state) => state === 'NOT_MET') ? 'NOT_MET' : 'PARTIAL';
};

/** A control of which the service sees a part alone is never met. */
export const judgeControl = (control: { readonly neverWhole?: string }, states: readonly ControlState[]): ControlState => {
  const state = stateOfAll(states);
  return state === 'MET' && control.neverWhole !== undefined ? 'PARTIAL' : state;
};
