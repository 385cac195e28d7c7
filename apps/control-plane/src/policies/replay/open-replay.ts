import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Wanted } from '@svc/enforcement/replay/recall.ts';
import type { CurrentFacts } from '@svc/enforcement/replay/recorded-action.ts';
import type { PolicySet } from '@svc/policy/judge/compile-set.ts';
import { type CompiledVersion, compileVersion, type PolicySource } from '@svc/policy/judge/compile-version.ts';
import { type ChangedRules, changedRules, unchangedSet } from '@svc/policy/replay/changed-rules.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant, type TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import type { StoredBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { type ReplayState, readReplayState } from '@svc/postgres/policies/replay/replay-state.ts';

export type ReplayRequest = {
  /** Two versions of one policy. */
  readonly from: PolicySource;
  readonly to: PolicySource;
  readonly bindings: readonly StoredBinding[];
  readonly days: number;
  readonly now: Date;
};

type Place = {
  /** Policies that judge the requests equally before and after. */
  readonly unchanged: PolicySet;
  readonly environment_type: CurrentFacts['environment_type'];
  readonly wanted: Wanted;
};

export type ReplaySetup = {
  readonly changes: ChangedRules;
  readonly today: Omit<CurrentFacts, 'environment_type' | 'agent' | 'tool'>;
  readonly at: (environmentId: string) => Place;
};

const asksTime = ({ reads }: PolicySet): boolean => [...reads].some((name) => name.startsWith('time.'));

const getPlace = (state: ReplayState, others: readonly CompiledVersion[], changes: ChangedRules, environmentId: string): Place => {
  const environment = state.environments.get(environmentId);
  const unchanged = unchangedSet(others, changes, ({ scope, id }) => {
    if (scope === 'WORKSPACE') return id === environment?.workspace_id;
    return scope !== 'ENVIRONMENT' || id === environmentId;
  });
  const sets = [changes.removed, changes.added, unchanged];
  return {
    unchanged,
    environment_type: environment?.type,
    wanted: { time: sets.some(asksTime), currencies: new Set(sets.flatMap(({ amount_currencies }) => [...amount_currencies])) },
  };
};

/** Compiles versions one per time slice of the event loop. */
const compileInTurns = async (sources: readonly PolicySource[]): Promise<CompiledVersion[]> => {
  const compiled: CompiledVersion[] = [];
  for (const source of sources) {
    compiled.push(compileVersion(source));
    await nextTurn();
  }
  return compiled;
};

/** Reads and compiles once what every action of a replay is judged with. */
export const openReplay = async (database: Database, scope: TenantScope, question: ReplayRequest): Promise<ReplaySetup> => {
  const { from, to, now } = question;
  const state = await readInTenant(database, scope, (tx) => readReplayState(tx, scope.organization_id, to.policy_id));
  const bindings = question.bindings.map(({ scope: bound, target_id }) => ({ scope: bound, id: target_id }));
  const changes = changedRules(from, to, bindings);
  const others = await compileInTurns(state.others);
  const places = new Map<string, Place>();
  const { base_currency, time_zone, rates } = state;
  return {
    changes,
    today: { now, base_currency, time_zone, rates },
    at: (environmentId) => {
      const place = places.get(environmentId) ?? getPlace(state, others, changes, environmentId);
      places.set(environmentId, place);
      return place;
    },
  };
};
