import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { PolicyReplay } from '@svc/contract/policies/replay.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readTrace } from '@svc/enforcement/replay/read-trace.ts';
import { recall } from '@svc/enforcement/replay/recall.ts';
import type { CurrentFacts, RecordedAction } from '@svc/enforcement/replay/recorded-action.ts';
import { judgeChange } from '@svc/policy/replay/judge-change.ts';
import { count, newTally, type ReplayTally, summary } from '@svc/policy/replay/tally.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { searchInTenant, type TenantScope, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type ReplayCursor, readReplayPage } from '@svc/postgres/policies/replay/replay-page.ts';
import { readCurrentAgents, readCurrentTools } from '@svc/postgres/policies/replay/replay-state.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import { openReplay, type ReplayRequest, type ReplaySetup } from './open-replay.ts';
import { listReplayNotes } from './replay-notes.ts';

const DAY_MS = 86_400_000;
const ACTIONS_MAX = LIMITS.policies.diffReplayActionsMax;
/** Maximum duration; a replay that reaches it returns its counts so far. */
const TIME_MAX_MS = 10_000;
/** Maximum time slice on the event loop. */
const TIME_SLICE_MS = 10;

type LoadedFacts = { readonly agents: Map<string, CurrentFacts['agent']>; readonly tools: Map<string, CurrentFacts['tool']> };

/** Loads the agents and tools of a page that are not loaded yet. */
const loadFacts = async (
  tx: TenantTransaction,
  organizationId: string,
  known: LoadedFacts,
  actions: readonly RecordedAction[],
): Promise<void> => {
  const agentIds = new Set(actions.map(({ agent_id }) => agent_id).filter((id) => !known.agents.has(id)));
  const toolIds = new Set(actions.flatMap(({ tool_id }) => (tool_id === null || known.tools.has(tool_id) ? [] : tool_id)));
  const agents = await readCurrentAgents(tx, organizationId, [...agentIds]);
  const tools = await readCurrentTools(tx, organizationId, [...toolIds]);
  for (const id of agentIds) known.agents.set(id, agents.get(id));
  for (const id of toolIds) known.tools.set(id, tools.get(id));
};

const evaluateAction = (action: RecordedAction, scene: ReplaySetup, known: LoadedFacts, tally: ReplayTally): void => {
  tally.read += 1;
  const trace = readTrace(action.explanation);
  if (!trace.reachedPolicy) {
    tally.before_policy += 1;
    return;
  }
  const { unchanged, environment_type, wanted } = scene.at(action.environment_id);
  const today: CurrentFacts = {
    ...scene.today,
    environment_type,
    agent: known.agents.get(action.agent_id),
    tool: action.tool_id === null ? undefined : known.tools.get(action.tool_id),
  };
  const context = recall(action, today, trace, wanted);
  const judged = judgeChange({ removed: scene.changes.removed, added: scene.changes.added, unchanged }, context);
  const { id: action_id, agent_id, agent_name, tool, created_at, decision: recorded_decision } = action;
  count(tally, { action_id, agent_id, agent_name, tool, created_at, recorded_decision }, judged);
};

/** Evaluates a page in time slices, so that other requests are served in between. Holds no database connection. */
const evaluatePage = async (
  actions: readonly RecordedAction[],
  scene: ReplaySetup,
  known: LoadedFacts,
  tally: ReplayTally,
): Promise<void> => {
  let sliceEndsAt = performance.now() + TIME_SLICE_MS;
  for (const action of actions) {
    evaluateAction(action, scene, known, tally);
    if (performance.now() < sliceEndsAt) continue;
    await yieldToEventLoop();
    sliceEndsAt = performance.now() + TIME_SLICE_MS;
  }
};

/**
 * Re-evaluates the newest recorded actions of a period with both policy versions and counts the changed decisions, page by page. Keeps one
 * page in memory, holds a connection only while reading, and returns partial counts after `TIME_MAX_MS`. Writes nothing.
 */
export const replayActions = async (database: Database, scope: TenantScope, question: ReplayRequest): Promise<PolicyReplay> => {
  const { organization_id } = scope;
  const deadline = performance.now() + TIME_MAX_MS;
  const since = new Date(question.now.getTime() - question.days * DAY_MS);
  const tally = newTally();
  const known: LoadedFacts = { agents: new Map(), tools: new Map() };
  const scene = await openReplay(database, scope, question);
  let cursor: ReplayCursor | null = question.bindings.length === 0 ? null : { since: getMinIdForTime('action', since), before: null };
  while (cursor !== null && tally.read < ACTIONS_MAX && performance.now() < deadline) {
    const from: ReplayCursor = cursor;
    const { actions, next } = await searchInTenant(database, scope, async (tx) => {
      const page = await readReplayPage(tx, organization_id, question.bindings, from, ACTIONS_MAX - tally.read);
      await loadFacts(tx, organization_id, known, page.actions);
      return page;
    });
    await evaluatePage(actions, scene, known, tally);
    cursor = next;
  }
  const complete = cursor === null;
  const counts = summary(tally);
  const notes = listReplayNotes(question, counts.actions, complete);
  return { days: question.days, since: since.toISOString(), ...counts, complete, notes };
};
