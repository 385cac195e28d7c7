import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { PushTarget } from '@svc/domain/peers/a2a/push-target.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { openPushTarget, sealPushTarget } from '@svc/keyring/sealed/push-target.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import { countPushConfigs, insertPushConfig, takePushConfigTurn } from '@svc/postgres/peers/a2a/a2a-push-configs.ts';
import { deletePushTarget, findHeldPushTarget, findTargetless, putPushTarget } from '@svc/postgres/peers/a2a/a2a-push-targets.ts';
import type { PushSecrets } from './a2a-push-configs.ts';
import type { TaskRequest, TaskScope } from './a2a-task-owners.ts';

/** A task, and the state that its partner knows. */
export type ToldTask = { readonly id: string; readonly state: string | null };

/** A message of a partner that waits for an approval. */
export type HeldTask = { readonly id: string; readonly approvalId: string };

/** Addresses at which partners receive push notifications about the tasks of published agents. */
export type A2aPushTargets = {
  /** Adds a target to the push config that the gateway opened for the task. Returns its id; undefined if there is none. */
  readonly add: (scope: TaskScope, task: ToldTask, target: PushTarget) => Promise<string | undefined>;
  /** Stores the target of a message that waits for an approval. Returns false if the agent has too many push configs. */
  readonly hold: (request: TaskRequest, held: HeldTask, target: PushTarget) => Promise<boolean>;
  /** Moves the target of a delivered message to its task; the partner goes on to know it by the id of before. Without a task it is deleted. */
  readonly move: (scope: TaskScope, heldTaskId: string, task: ToldTask | undefined) => Promise<void>;
};

const ID_BYTES = 16;
const TOKEN_BYTES = 32;
const { pushConfigsPerAgentMax, pushApprovalMs, taskKeptMs } = LIMITS.a2a;
const WAITING = 'TASK_STATE_AUTH_REQUIRED';

const asKey = ({ tenant, connection_id, agentId }: TaskScope) => ({ organizationId: tenant, connectionId: connection_id, agentId });

export const getPushTargetKey = (masterKey: KeyObject): KeyObject => deriveKey(masterKey, 'a2a-push-targets');

/** Opens the record of the addresses of partners. */
export const newA2aPushTargets = (database: Database, clock: () => Date, { hashToken, sealingKey }: PushSecrets): A2aPushTargets => ({
  add: (scope, { id: taskId, state }, target) =>
    inTenant(database, { organization_id: scope.tenant }, async (tx) => {
      const key = await findTargetless(tx, asKey(scope), taskId);
      if (key === undefined) return undefined;
      await putPushTarget(tx, key, { sealed: sealPushTarget(sealingKey, target, key), toldTaskId: taskId, now: clock() }, state);
      return key.id;
    }),
  hold: (request, { id: heldTaskId, approvalId }, target) =>
    inTenant(database, { organization_id: request.tenant }, async (tx) => {
      const { tenant, place, connection_id, agentId, actionId } = request;
      const now = clock();
      await takePushConfigTurn(tx, connection_id);
      // A message that is sent again waits for the same approval.
      if ((await findHeldPushTarget(tx, asKey(request), heldTaskId)) !== undefined) return true;
      if ((await countPushConfigs(tx, asKey(request), pushConfigsPerAgentMax)) >= pushConfigsPerAgentMax) return false;
      const key = { organization_id: tenant, connection_id, id: randomHex(ID_BYTES) };
      const row = {
        ...{ ...key, ...place, agent_id: agentId, action_id: actionId, task_id: heldTaskId, told_task_id: heldTaskId },
        // No program has this token: the agent has not received the message.
        token_hash: hashToken(randomHex(TOKEN_BYTES)),
        ...{ sealed_target: sealPushTarget(sealingKey, target, key), told_state: WAITING, approval_id: approvalId },
        ...{ due_at: new Date(now.getTime() + pushApprovalMs), created_at: now },
      };
      await insertPushConfig(tx, row, new Date(now.getTime() - taskKeptMs));
      return true;
    }),
  move: (scope, heldTaskId, task) =>
    inTenant(database, { organization_id: scope.tenant }, async (tx) => {
      const held = await findHeldPushTarget(tx, asKey(scope), heldTaskId);
      if (held === undefined || held.sealed_target === null) return;
      await deletePushTarget(tx, held);
      const key = task && (await findTargetless(tx, asKey(scope), task.id));
      if (task === undefined || key === undefined) return;
      const sealed = sealPushTarget(sealingKey, openPushTarget(sealingKey, held.sealed_target, held), key);
      await putPushTarget(tx, key, { sealed, toldTaskId: heldTaskId, now: clock() }, task.state);
    }),
});
