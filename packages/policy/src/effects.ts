import type { PolicyRule } from '@svc/contract/policy-language.ts';
import { EFFECTS, type Effect } from '@svc/contract/vocabulary.ts';

export type DemandName = 'approval' | 'limit' | 'mask';

export type EffectRow = {
  readonly label: string;
  readonly sentence: string;
  /** The member of a rule that says what the effect demands. */
  readonly demand: DemandName | null;
  readonly demand_required: boolean;
};

/** Every effect. Strictness is the position in the contract's list. */
export const EFFECT_TABLE = {
  ALLOW: { label: 'Allow', sentence: 'The action may run.', demand: null, demand_required: false },
  MASK: {
    label: 'Allow with masking',
    sentence: 'The action may run; the named values are hidden in its parameters or its result.',
    demand: 'mask',
    demand_required: true,
  },
  LIMIT: {
    label: 'Allow up to a limit',
    sentence: 'The action may run while the amount and the number of calls stay within the limit.',
    demand: 'limit',
    demand_required: true,
  },
  REQUIRE_APPROVAL: {
    label: 'Ask a person',
    sentence: 'The action waits until people approve this very request.',
    demand: 'approval',
    demand_required: false,
  },
  BLOCK: { label: 'Block', sentence: 'The action is refused, and the reason is told.', demand: null, demand_required: false },
} as const satisfies Record<Effect, EffectRow>;

export const DEMANDS: readonly DemandName[] = ['approval', 'limit', 'mask'];

export const strictness = (effect: Effect): number => EFFECTS.indexOf(effect);

/** What REQUIRE_APPROVAL asks for where the rule does not say. */
export const APPROVAL_DEFAULTS = {
  approver_role: 'approver',
  quorum: 1,
  expires_in_seconds: 3600,
  step_up: false,
} as const satisfies Required<NonNullable<PolicyRule['approval']>>;
