import { buildId } from '@svc/contract/tables/ids.ts';
import type pg from 'pg';
import { newUlid } from './new-ulid.ts';

export type InsertedNotification = {
  readonly organizationId: string;
  readonly userId: string;
  readonly kind?: string;
  readonly workspaceId?: string;
  readonly environmentId?: string;
  readonly facts?: Readonly<Record<string, string>>;
};

/** Inserts a notification for a person. */
export const insertNotification = async (
  owner: pg.Client,
  { organizationId, userId, kind = 'passport_expiring', workspaceId, environmentId, facts = {} }: InsertedNotification,
): Promise<string> => {
  const id = buildId('notification', newUlid());
  await owner.query(
    `insert into notifications (organization_id, id, user_id, kind, subject_type, subject_id, workspace_id, environment_id, facts)
     values ($1, $2, $3, $4, 'agent', 'agt_1', $5, $6, $7)`,
    [
      organizationId,
      id,
      userId,
      kind,
      workspaceId ?? null,
      environmentId ?? null,
      JSON.stringify({ name: 'a', ends_at: 'soon', ...facts }),
    ],
  );
  return id;
};
