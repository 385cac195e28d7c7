import { type PolicyReplay, REPLAY_CHANGES, type ReplayChange } from '@svc/contract/policies/replay.ts';
import type { JudgedChange } from './judge-change.ts';

/** Bounds of one response. */
const EXAMPLES_PER_CHANGE_MAX = 10;
const LISTED_MAX = 100;

type Counts = Record<ReplayChange, number>;
type Example = PolicyReplay['examples'][number];
type Named = Pick<Example, 'action_id' | 'agent_id' | 'tool' | 'created_at' | 'recorded_decision'> & { readonly agent_name: string };

/** The counts of a replay so far. */
export type ReplayTally = {
  read: number;
  unchanged: number;
  unknown: number;
  before_policy: number;
  readonly changes: Counts;
  readonly agents: Map<string, Counts & { readonly agent_id: string; readonly agent_name: string }>;
  readonly rules: Map<string, Counts & { readonly policy_id: string | null; readonly rule: string | null }>;
  readonly fields: Map<string, number>;
  readonly examples: Example[];
};

const noCounts = (): Counts => ({ newly_blocked: 0, newly_held: 0, newly_allowed: 0, other_terms: 0 });

export const newTally = (): ReplayTally => ({
  read: 0,
  unchanged: 0,
  unknown: 0,
  before_policy: 0,
  changes: noCounts(),
  agents: new Map(),
  rules: new Map(),
  fields: new Map(),
  examples: [],
});

const getEntry = <Entry>(entries: Map<string, Entry>, key: string, make: () => Entry): Entry => {
  const known = entries.get(key);
  if (known !== undefined) return known;
  const entry = make();
  entries.set(key, entry);
  return entry;
};

/** Counts one action that reached policy. */
export const count = (tally: ReplayTally, { agent_name, ...action }: Named, judged: JudgedChange): void => {
  if (judged.kind === 'unchanged') tally.unchanged += 1;
  else if (judged.kind === 'unknown') {
    tally.unknown += 1;
    for (const field of judged.fields) tally.fields.set(field, (tally.fields.get(field) ?? 0) + 1);
  } else {
    const { kind, from, to } = judged;
    const { agent_id } = action;
    const { policy_id, rule } = to;
    if (tally.changes[kind] < EXAMPLES_PER_CHANGE_MAX) tally.examples.push({ ...action, change: kind, from, to });
    tally.changes[kind] += 1;
    getEntry(tally.agents, agent_id, () => ({ agent_id, agent_name, ...noCounts() }))[kind] += 1;
    getEntry(tally.rules, `${policy_id}/${rule}`, () => ({ policy_id, rule, ...noCounts() }))[kind] += 1;
  }
};

const total = (counts: Counts): number => REPLAY_CHANGES.reduce((sum, change) => sum + counts[change], 0);
const mostFirst = <Entry extends Counts>(entries: ReadonlyMap<string, Entry>): Entry[] =>
  [...entries.values()].toSorted((one, other) => total(other) - total(one)).slice(0, LISTED_MAX);

/** Returns the counted part of the response; the most affected first. */
export const summary = (tally: ReplayTally): Pick<PolicyReplay, 'actions' | 'by_agent' | 'by_rule' | 'examples' | 'unknown_fields'> => ({
  actions: {
    read: tally.read,
    unchanged: tally.unchanged,
    ...tally.changes,
    unknown: tally.unknown,
    before_policy: tally.before_policy,
  },
  by_agent: mostFirst(tally.agents),
  by_rule: mostFirst(tally.rules),
  examples: tally.examples,
  unknown_fields: [...tally.fields]
    .map(([field, actions]) => ({ field, actions }))
    .toSorted((one, other) => other.actions - one.actions)
    .slice(0, LISTED_MAX),
});
