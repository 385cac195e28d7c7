import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isObject, listAt, textAt } from '../../digest/json.ts';
import type { SendToInstance, Stopped } from '../../kind.ts';

const { pageCount, pagesMax } = LIMITS.verification;

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

const stopExecutions = async (send: SendToInstance): Promise<void> => {
  const running = await send({ method: 'GET', path: '/api/v1/executions?status=running&limit=250' });
  if (running.kind !== 'answered' || running.status !== 200) return;
  for (const row of listAt(running.json, 'data')) {
    const id = textAt(row, 'id');
    if (id !== undefined) await send({ method: 'POST', path: `/api/v1/executions/${encodeURIComponent(id)}/stop`, body: {} });
  }
};

/** Deactivates every active workflow, and believes only the list that is read afterwards. */
export const stopWorkflows = async (send: SendToInstance, stopsRuns: boolean): Promise<Stopped> => {
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
  if (stopsRuns) await stopExecutions(send);
  const left = await listActive(send);
  if (left === null) return UNREACHABLE;
  const stillActive = new Set(left.map(({ id }) => id));
  return {
    instance: left.length === 0 ? 'CONFIRMED' : 'NOT_APPLIED',
    deactivated: active.map(({ id }) => id).filter((id) => !stillActive.has(id)),
    not_applied: left
      .slice(0, 100)
      .map(({ id, name }) => ({ workflow_id: id, name, why: statuses.get(id) ?? 'It was activated meanwhile.' })),
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
