import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PolicyReplay } from '@svc/contract/policies/replay.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readTrace } from '@svc/enforcement/replay/read-trace.ts';
import { recall } from '@svc/enforcement/replay/recall.ts';
import type { AsOfToday, RecordedAction } from '@svc/enforcement/replay/recorded-action.ts';
import { judgeChange } from '@svc/policy/replay/judge-change.ts';
import { count, newTally, type ReplayTally, summary } from '@svc/policy/replay/tally.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { searchInTenant, type TenantScope, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type ReplayCursor, readReplayPage } from '@svc/postgres/policies/replay/replay-page.ts';
import { readAgentsToday, readToolsToday } from '@svc/postgres/policies/replay/replay-state.ts';
import { firstIdSince } from '@svc/program/ids/first-id-since.ts';
import { openReplay, type ReplayQuestion, type ReplayScene } from './open-replay.ts';
import { replayNotes } from './replay-notes.ts';

const DAY_MS = 86_400_000;
const ACTIONS_MAX = LIMITS.policies.diffReplayActionsMax;
/** Maximum duration; the response contains what was counted until then. */
const TIME_MAX_MS = 10_000;
/** Maximum time slice on the event loop. */
const TURN_MS = 10;

type Known = { readonly agents: Map<string, AsOfToday['agent']>; readonly tools: Map<string, AsOfToday['tool']> };

/** Reads the agents and tools of a page that are not known yet. */
const learn = async (tx: TenantTransaction, organizationId: string, known: Known, actions: readonly RecordedAction[]): Promise<void> => {
  const agentIds = new Set(actions.map(({ agent_id }) => agent_id).filter((id) => !known.agents.has(id)));
  const toolIds = new Set(actions.flatMap(({ tool_id }) => (tool_id === null || known.tools.has(tool_id) ? [] : tool_id)));
  const agents = await readAgentsToday(tx, organizationId, [...agentIds]);
  const tools = await readToolsToday(tx, organizationId, [...toolIds]);
  for (const id of agentIds) known.agents.set(id, agents.get(id));
  for (const id of toolIds) known.tools.set(id, tools.get(id));
};

const judgeOne = (action: RecordedAction, scene: ReplayScene, known: Known, tally: ReplayTally): void => {
  tally.read += 1;
  const trace = readTrace(action.explanation);
  if (!trace.reachedPolicy) {
    tally.before_policy += 1;
    return;
  }
  const { unchanged, environment_type, wanted } = scene.at(action.environment_id);
  const today: AsOfToday = {
    ...scene.today,
    environment_type,
    agent: known.agents.get(action.agent_id),
    tool: action.tool_id === null ? undefined : known.tools.get(action.tool_id),
  };
  const recalled = recall(action, today, trace, wanted);
  const judged = judgeChange({ removed: scene.changes.removed, added: scene.changes.added, unchanged }, recalled);
  const { id: action_id, agent_id, agent_name, tool, created_at, decision: recorded_decision } = action;
  count(tally, { action_id, agent_id, agent_name, tool, created_at, recorded_decision }, judged);
};

/** Judges a page in time slices, so that other requests are served meanwhile. Holds no connection. */
const judgePage = async (actions: readonly RecordedAction[], scene: ReplayScene, known: Known, tally: ReplayTally): Promise<void> => {
  let turnEnds = performance.now() + TURN_MS;
  for (const action of actions) {
    judgeOne(action, scene, known, tally);
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + TURN_MS;
  }
};

/**
 * Decides the newest recorded actions of a period again with both versions, page by page. Memory holds one page, a connection is held only
 * while reading, and after ten seconds the response contains what there is. Writes nothing.
 */
export const replayActions = async (database: Database, scope: TenantScope, question: ReplayQuestion): Promise<PolicyReplay> => {
  const { organization_id } = scope;
  const deadline = performance.now() + TIME_MAX_MS;
  const since = new Date(question.now.getTime() - question.days * DAY_MS);
  const tally = newTally();
  const known: Known = { agents: new Map(), tools: new Map() };
  const scene = await openReplay(database, scope, question);
  let cursor: ReplayCursor | null = question.bindings.length === 0 ? null : { since: firstIdSince('action', since), before: null };
  while (cursor !== null && tally.read < ACTIONS_MAX && performance.now() < deadline) {
    const from: ReplayCursor = cursor;
    const { actions, next } = await searchInTenant(database, scope, async (tx) => {
      const page = await readReplayPage(tx, organization_id, question.bindings, from, ACTIONS_MAX - tally.read);
      await learn(tx, organization_id, known, page.actions);
      return page;
    });
    await judgePage(actions, scene, known, tally);
    cursor = next;
  }
  const complete = cursor === null;
  const counted = summary(tally);
  const notes = replayNotes(question, counted.actions, complete);
  return { days: question.days, since: since.toISOString(), ...counted, complete, notes };
};
