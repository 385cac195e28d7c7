import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { inTenant, readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { isTaskOfAgent, keepA2aTask } from '@svc/postgres/peers/a2a/a2a-tasks.ts';

/** A request to a remote agent that concerns a task. */
export type TaskRequest = {
  readonly tenant: string;
  readonly place: { readonly workspace_id: string; readonly environment_id: string };
  readonly connection_id: string;
  readonly agentId: string;
  readonly actionId: string;
};

export type A2aTaskOwners = {
  readonly isOwner: (request: TaskRequest, taskId: string) => Promise<boolean>;
  /** Notes that the task was started by the agent of the request, unless it is another agent's already. */
  readonly keep: (request: TaskRequest, taskId: string) => Promise<void>;
};

/** Opens the record of which agent started which task of a remote agent. */
export const newA2aTaskOwners = (database: Database, clock: () => Date): A2aTaskOwners => ({
  isOwner: ({ tenant, connection_id, agentId }, taskId) =>
    readInTenant(database, { organization_id: tenant }, (tx) =>
      isTaskOfAgent(tx, { organizationId: tenant, connectionId: connection_id, taskId, agentId }),
    ),
  keep: ({ tenant, place, connection_id, agentId, actionId }, taskId) => {
    const now = clock();
    const row = {
      organization_id: tenant,
      ...place,
      connection_id,
      task_id: taskId,
      agent_id: agentId,
      action_id: actionId,
      created_at: now,
    };
    return inTenant(database, { organization_id: tenant }, (tx) => keepA2aTask(tx, row, new Date(now.getTime() - LIMITS.a2a.taskKeptMs)));
  },
});
