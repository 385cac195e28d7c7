import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isObject, listAt, textAt } from '../../digest/json.ts';
import type { SendToInstance, Stopped, Stopping } from '../../kind.ts';

const { pageCount, pagesMax } = LIMITS.verification;
const UNAPPLIED_MAX = 100;
/** Modes of executions that the instance starts itself. People may still run a workflow by hand. */
const PRODUCTION_MODES: ReadonlySet<string> = new Set(['webhook', 'trigger']);

type Active = { readonly id: string; readonly name: string };

const listActive = async (send: SendToInstance): Promise<readonly Active[] | null> => {
  const found: Active[] = [];
  let page: string | undefined;
  for (let at = 0; at < pagesMax; at += 1) {
    const more = page === undefined ? '' : `&cursor=${encodeURIComponent(page)}`;
    const answer = await send({ method: 'GET', path: `/api/v1/workflows?active=true&limit=${pageCount}${more}` });
    if (answer.kind !== 'answered' || answer.status !== 200) return null;
    for (const row of listAt(answer.json, 'data'))
      if (isObject(row) && row.active === true) found.push({ id: textAt(row, 'id') ?? '', name: textAt(row, 'name') ?? '' });
    page = textAt(answer.json, 'nextCursor');
    if (page === undefined) return found;
  }
  return found;
};

const UNREACHABLE: Stopped = { instance: 'UNREACHABLE', deactivated: [], not_applied: [] };

type Execution = { readonly id: string; readonly workflowId: string; readonly mode: string; readonly startedAt: number };

/** Ids are numbers in some versions. */
const idAt = (row: unknown, name: string): string => String((isObject(row) ? row[name] : undefined) ?? '').slice(0, 100);

const listExecutions = async (send: SendToInstance, query: string): Promise<readonly Execution[] | null> => {
  const answer = await send({ method: 'GET', path: `/api/v1/executions?${query}limit=250` });
  if (answer.kind !== 'answered' || answer.status !== 200) return null;
  return listAt(answer.json, 'data').map((row) => ({
    ...{ id: idAt(row, 'id'), workflowId: idAt(row, 'workflowId'), mode: textAt(row, 'mode') ?? '' },
    startedAt: Date.parse(textAt(row, 'startedAt') ?? ''),
  }));
};

/** Stops running executions, and returns those that run afterwards; null if they cannot be read. */
const stopExecutions = async (send: SendToInstance): Promise<readonly Execution[] | null> => {
  const running = await listExecutions(send, 'status=running&');
  for (const { id } of running ?? []) await send({ method: 'POST', path: `/api/v1/executions/${encodeURIComponent(id)}/stop`, body: {} });
  return running === null || running.length === 0 ? running : listExecutions(send, 'status=running&');
};

/** Returns executions that the instance started although nothing is active; null if they cannot be read. */
const startedSince = async (send: SendToInstance, since: Date): Promise<readonly Execution[] | null> => {
  const recent = await listExecutions(send, '');
  return recent?.filter(({ mode, startedAt }) => PRODUCTION_MODES.has(mode) && startedAt > since.getTime()) ?? null;
};

type Unapplied = Stopped['not_applied'][number];

/** One entry of each workflow. */
const asUnapplied = (executions: readonly Execution[], why: string): Unapplied[] =>
  [...new Set(executions.map(({ workflowId }) => workflowId))].map((workflow_id) => ({ workflow_id, name: '', why }));

/** Deactivates every active workflow, and believes only the lists that are read afterwards. */
export const stopWorkflows = async (send: SendToInstance, { stopsRuns, quietSince }: Stopping): Promise<Stopped> => {
  const active = await listActive(send);
  if (active === null) return UNREACHABLE;
  const statuses = new Map<string, string>();
  for (const { id } of active) {
    const answer = await send({ method: 'POST', path: `/api/v1/workflows/${encodeURIComponent(id)}/deactivate`, body: {} });
    statuses.set(
      id,
      answer.kind === 'answered' ? `The instance answered ${answer.status}, and the workflow is still active.` : answer.detail,
    );
  }
  const running = stopsRuns ? await stopExecutions(send) : [];
  const started = quietSince === null ? [] : await startedSince(send, quietSince);
  const left = await listActive(send);
  if (left === null || running === null || started === null) return UNREACHABLE;
  const stillActive = new Set(left.map(({ id }) => id));
  const unapplied: readonly Unapplied[] = [
    ...left.map(({ id, name }) => ({ workflow_id: id, name, why: statuses.get(id) ?? 'It was activated meanwhile.' })),
    ...asUnapplied(running, 'An execution goes on after it was stopped.'),
    ...asUnapplied(started, 'It was executed after it was deactivated.'),
  ];
  return {
    instance: unapplied.length === 0 ? 'CONFIRMED' : 'NOT_APPLIED',
    deactivated: active.map(({ id }) => id).filter((id) => !stillActive.has(id)),
    not_applied: [...new Map(unapplied.map((each) => [each.workflow_id, each])).values()].slice(0, UNAPPLIED_MAX),
  };
};

/** Activates workflows again, and reads back which are active. */
export const startWorkflows = async (send: SendToInstance, workflowIds: readonly string[]): Promise<Stopped> => {
  for (const id of workflowIds) await send({ method: 'POST', path: `/api/v1/workflows/${encodeURIComponent(id)}/activate`, body: {} });
  const active = await listActive(send);
  if (active === null) return UNREACHABLE;
  const ids = new Set(active.map(({ id }) => id));
  const missing = workflowIds.filter((id) => !ids.has(id));
  return {
    instance: missing.length === 0 ? 'CONFIRMED' : 'NOT_APPLIED',
    deactivated: missing,
    not_applied: missing.map((workflow_id) => ({ workflow_id, name: '', why: 'The instance did not activate it.' })),
  };
};
