import type { KeyObject } from 'node:crypto';
import { newA2aPushConfigs } from '@svc/operations/peers/a2a/a2a-push-configs.ts';
import { type A2aTaskOwners, newA2aTaskOwners } from '@svc/operations/peers/a2a/a2a-task-owners.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { PushRequests } from './push-requests.ts';
import { newPushSecrets } from './push-secrets.ts';

type Needs = { readonly database: Database; readonly clock: () => Date; readonly origin: () => string };

/** Records of the executor: tasks with their agents, and push configs. */
export type A2aRecords = { readonly owners: A2aTaskOwners; readonly push: PushRequests };

export const newA2aRecords = (masterKey: KeyObject, { database, clock, origin }: Needs): A2aRecords => ({
  owners: newA2aTaskOwners(database, clock),
  push: { configs: newA2aPushConfigs(database, clock, newPushSecrets(masterKey)), origin },
});
