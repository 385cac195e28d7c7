import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { openPushTarget } from '@svc/keyring/sealed/push-target.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { inTenant, readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import {
  bindPushConfig,
  countPushConfigs,
  deletePushConfig,
  insertPushConfig,
  listPushConfigs,
  takePushConfigTurn,
} from '@svc/postgres/peers/a2a/a2a-push-configs.ts';
import type { TaskRequest, TaskScope } from './a2a-task-owners.ts';

/** A push config of a task. Its token is known only to the remote agent. */
export type PushConfig = {
  readonly id: string;
  readonly taskId: string | null;
  /** Address of the partner that asked for the notifications; undefined for a push config of an agent. */
  readonly targetUrl: string | undefined;
};

/** A new push config, with the token that the remote agent sends back. */
export type OpenedPush = { readonly id: string; readonly token: string };

/** Computes the digest of a token under the key of the installation. */
export type HashPushToken = (token: string) => string;

/** Keys for tokens and for the addresses of partners. */
export type PushSecrets = { readonly hashToken: HashPushToken; readonly sealingKey: KeyObject };

export type A2aPushConfigs = {
  /** Creates a push config with a new token. Returns undefined if the agent or the task has too many. */
  readonly open: (request: TaskRequest, taskId: string | null) => Promise<OpenedPush | undefined>;
  /** Binds a push config to the task that the remote agent started. */
  readonly bind: (scope: TaskScope, id: string, taskId: string) => Promise<void>;
  readonly list: (scope: TaskScope, taskId: string) => Promise<readonly PushConfig[]>;
  /** Deletes a push config: its token is refused at once. */
  readonly close: (scope: TaskScope, id: string) => Promise<void>;
};

const { pushConfigsPerTaskMax, pushConfigsPerAgentMax, taskKeptMs } = LIMITS.a2a;
const ID_BYTES = 16;
const TOKEN_BYTES = 32;

const asKey = ({ tenant, connection_id, agentId }: TaskScope) => ({ organizationId: tenant, connectionId: connection_id, agentId });

/** Opens the record of the push notifications that agents requested of remote agents. */
export const newA2aPushConfigs = (database: Database, clock: () => Date, { hashToken, sealingKey }: PushSecrets): A2aPushConfigs => ({
  open: async (request, taskId) => {
    const { tenant, place, connection_id, agentId, actionId } = request;
    const [id, token, now] = [randomHex(ID_BYTES), randomHex(TOKEN_BYTES), clock()];
    const row = {
      ...{ organization_id: tenant, ...place, connection_id, id, agent_id: agentId, action_id: actionId, task_id: taskId },
      ...{ token_hash: hashToken(token), created_at: now },
    };
    const isOpened = await inTenant(database, { organization_id: tenant }, async (tx) => {
      await takePushConfigTurn(tx, connection_id);
      const key = asKey(request);
      if ((await countPushConfigs(tx, key, pushConfigsPerAgentMax)) >= pushConfigsPerAgentMax) return false;
      if (taskId !== null && (await listPushConfigs(tx, key, taskId, pushConfigsPerTaskMax)).length >= pushConfigsPerTaskMax) return false;
      await insertPushConfig(tx, row, new Date(now.getTime() - taskKeptMs));
      return true;
    });
    return isOpened ? { id, token } : undefined;
  },
  bind: (scope, id, taskId) => inTenant(database, { organization_id: scope.tenant }, (tx) => bindPushConfig(tx, asKey(scope), id, taskId)),
  list: (scope, taskId) =>
    readInTenant(database, { organization_id: scope.tenant }, async (tx) =>
      (await listPushConfigs(tx, asKey(scope), taskId, pushConfigsPerTaskMax)).map(({ id, task_id, sealed_target, ...place }) => ({
        ...{ id, taskId: task_id },
        targetUrl: sealed_target === null ? undefined : openPushTarget(sealingKey, sealed_target, { ...place, id }).url,
      })),
    ),
  close: async (scope, id) => {
    await inTenant(database, { organization_id: scope.tenant }, (tx) => deletePushConfig(tx, asKey(scope), id));
  },
});
