import type { Ceiling, Delegator } from './delegation.ts';
import type { DerivedAuthority, Narrowing } from './effective-authority.ts';

const SHOWN_MAX = 20;

type ShownList = { readonly items: readonly string[]; readonly more?: number };

/** A chain as a decision records it: long lists are cut, since each decision carries a copy. */
export type ChainStepView = {
  readonly delegation_id: string;
  readonly delegator: Delegator;
  readonly delegate_agent_id: string;
  readonly narrows: readonly { readonly field: string; readonly removed: ShownList | null; readonly left: ShownList }[];
  readonly ceiling: Partial<Ceiling>;
  readonly expires_at: string | null;
};

const shown = (list: readonly string[]): ShownList =>
  list.length <= SHOWN_MAX ? { items: list } : { items: list.slice(0, SHOWN_MAX), more: list.length - SHOWN_MAX };

const showNarrowing = ({ field, removed, left }: Narrowing) => ({
  field,
  removed: removed === null ? null : shown(removed),
  left: shown(left ?? []),
});

const given = (ceiling: Ceiling): Partial<Ceiling> => Object.fromEntries(Object.entries(ceiling).filter(([, value]) => value !== null));

export const showChain = ({ steps }: DerivedAuthority): readonly ChainStepView[] =>
  steps.map(({ narrowings, ceiling, ...step }) => ({ ...step, narrows: narrowings.map(showNarrowing), ceiling: given(ceiling) }));
