import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { EFFECTS, type Effect } from '@svc/contract/tables/vocabulary.ts';

export type DemandName = 'approval' | 'limit' | 'mask';

export type EffectRow = {
  readonly label: string;
  readonly sentence: string;
  /** True if a request may run when only rules of this effect match. Obligations restrict what another rule permits. */
  readonly permits: boolean;
  /** The member of a rule that states the demands of the effect. */
  readonly demand: DemandName | null;
  readonly demand_required: boolean;
};

/** Every effect. Strictness is the position in the contract's list. */
export const EFFECT_TABLE = {
  ALLOW: { label: 'Allow', sentence: 'The action may run.', permits: true, demand: null, demand_required: false },
  MASK: {
    label: 'Mask',
    sentence:
      'The listed values are masked in the parameters or the result of an action that another rule permits. Permits nothing on its own.',
    permits: false,
    demand: 'mask',
    demand_required: true,
  },
  LIMIT: {
    label: 'Limit',
    sentence: 'Permitted actions run while their amount and number of calls stay within the limit. Permits nothing on its own.',
    permits: false,
    demand: 'limit',
    demand_required: true,
  },
  REQUIRE_APPROVAL: {
    label: 'Ask a person',
    sentence: 'The action waits until people approve this exact request.',
    permits: true,
    demand: 'approval',
    demand_required: false,
  },
  BLOCK: {
    label: 'Block',
    sentence: 'The action is refused, and the reason is returned.',
    permits: false,
    demand: null,
    demand_required: false,
  },
} as const satisfies Record<Effect, EffectRow>;

export const DEMANDS: readonly DemandName[] = ['approval', 'limit', 'mask'];

/** Returns true if a matching rule of this effect is enough for the request to run, at once or after approval. */
export const permits = (effect: Effect): boolean => EFFECT_TABLE[effect].permits;

export const strictness = (effect: Effect): number => EFFECTS.indexOf(effect);

/** Defaults of REQUIRE_APPROVAL. */
export const APPROVAL_DEFAULTS = {
  approver_role: 'approver',
  quorum: 1,
  expires_in_seconds: 3600,
  step_up: false,
} as const satisfies PolicyRule['approval'];

/** Returns what a rule requires of people, with defaults filled in: if it names people and no role, those people and the owners. */
export const readApprovalDemand = (approval: PolicyRule['approval'] = {}) => ({
  ...APPROVAL_DEFAULTS,
  ...(approval.approvers === undefined ? {} : { approver_role: 'owner' }),
  ...approval,
});
