import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getNonceKeptForMs } from '@svc/domain/agents/identity/assertion-window.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { inTenant, readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { useA2aAssertion } from '@svc/postgres/peers/a2a/a2a-assertions.ts';
import {
  type A2aTaskRow,
  isContextElsewhere,
  isTaskOfAgent,
  keepA2aTask,
  listA2aTasks,
  type TaskFilter,
} from '@svc/postgres/peers/a2a/a2a-tasks.ts';

/** The connection and the agent of a task. */
export type TaskScope = { readonly tenant: string; readonly connection_id: string; readonly agentId: string };

/** A request to a remote agent that concerns a task. */
export type TaskRequest = TaskScope & {
  readonly place: { readonly workspace_id: string; readonly environment_id: string };
  readonly actionId: string;
};

/** A task as a response states it. `approvalId` is the approval that its message waits for. */
export type SeenTask = {
  readonly id: string;
  readonly state?: string | undefined;
  readonly contextId?: string | undefined;
  readonly approvalId?: string;
};

type UsedAssertion = { readonly tenant: string; readonly connectionId: string; readonly jti: string };

export type A2aTaskOwners = {
  readonly isOwner: (scope: TaskScope, taskId: string) => Promise<boolean>;
  /** Stores the agent of the request as the owner of the task, with its state, unless another agent owns it. */
  readonly keep: (request: TaskRequest, task: SeenTask) => Promise<void>;
  readonly list: (scope: TaskScope, filter: TaskFilter) => Promise<{ readonly rows: readonly A2aTaskRow[]; readonly total: number }>;
  /** Returns true if the agent has tasks in the context over another connection. */
  readonly isOtherContext: (scope: TaskScope, contextId: string) => Promise<boolean>;
  /** Uses up the id of an assertion of a remote agent. Returns false if it was used before. */
  readonly useAssertion: (used: UsedAssertion) => Promise<boolean>;
};

/** Opens the record of which agent started which task of a remote agent. */
export const newA2aTaskOwners = (database: Database, clock: () => Date): A2aTaskOwners => ({
  isOwner: ({ tenant, connection_id, agentId }, taskId) =>
    readInTenant(database, { organization_id: tenant }, (tx) =>
      isTaskOfAgent(tx, { organizationId: tenant, connectionId: connection_id, taskId, agentId }),
    ),
  keep: ({ tenant, place, connection_id, agentId, actionId }, { id, state, contextId, approvalId }) => {
    const now = clock();
    const row = {
      ...{ organization_id: tenant, ...place, connection_id, task_id: id, agent_id: agentId, action_id: actionId },
      ...{ state: state ?? null, context_id: contextId ?? null, approval_id: approvalId ?? null, created_at: now, updated_at: now },
    };
    return inTenant(database, { organization_id: tenant }, (tx) => keepA2aTask(tx, row, new Date(now.getTime() - LIMITS.a2a.taskKeptMs)));
  },
  list: ({ tenant, connection_id, agentId }, filter) =>
    readInTenant(database, { organization_id: tenant }, (tx) =>
      listA2aTasks(tx, { organizationId: tenant, connectionId: connection_id, agentId }, filter),
    ),
  isOtherContext: ({ tenant, connection_id, agentId }, contextId) =>
    readInTenant(database, { organization_id: tenant }, (tx) =>
      isContextElsewhere(tx, { organizationId: tenant, connectionId: connection_id, agentId, contextId }),
    ),
  useAssertion: ({ tenant, connectionId, jti }) => {
    const now = clock();
    const expires_at = new Date(now.getTime() + getNonceKeptForMs());
    const row = { organization_id: tenant, connection_id: connectionId, jti_hash: sha256Hex(jti), expires_at };
    return inTenant(database, { organization_id: tenant }, (tx) => useA2aAssertion(tx, row, now));
  },
});
