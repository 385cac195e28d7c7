import type { PolicyReplay } from '@svc/contract/policies/replay.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ReplayRequest } from './open-replay.ts';

const ASSUMED =
  'Labels and capabilities of agents, attributes of tools, types of environments, exchange rates and all other policies are taken as they stand today, where the recorded decision does not show what was so then.';
const COUNTED = 'Counted limits are not counted again: a rule with a limit shows as allowing, whether or not its limit was used up.';
const UNKNOWN = 'An action is unknown where a value that was not recorded decides; unknown_fields names these.';
const UNBOUND = 'The policy has no bindings, so it applies to no action.';
const LATE = 'The time limit was reached before all actions were decided. The missing actions are older.';
const MANY = `Only the newest ${LIMITS.policies.diffReplayActionsMax} actions of the period were decided.`;

const hasLimit = ({ from, to }: ReplayRequest): boolean => [...from.body.rules, ...to.body.rules].some(({ effect }) => effect === 'LIMIT');

/** Returns notes that a reader needs to interpret the numbers. */
export const listReplayNotes = (question: ReplayRequest, actions: PolicyReplay['actions'], complete: boolean): string[] => {
  if (question.bindings.length === 0) return [UNBOUND];
  return [
    ASSUMED,
    ...(hasLimit(question) ? [COUNTED] : []),
    ...(actions.unknown > 0 ? [UNKNOWN] : []),
    ...(complete ? [] : [actions.read >= LIMITS.policies.diffReplayActionsMax ? MANY : LATE]),
  ];
};
