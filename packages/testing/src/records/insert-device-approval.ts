import { randomBytes } from 'node:crypto';
import { buildId } from '@svc/contract/tables/ids.ts';
import type pg from 'pg';
import { insertNotification } from './insert-notification.ts';
import { newUlid } from './new-ulid.ts';

/** Inserts a person's sign-in that waits for the approval of a device; returns its id. */
export const insertDeviceApproval = async (client: pg.Client, organizationId: string, userId: string): Promise<string> => {
  const [id, sessionId] = [buildId('device_approval', newUlid()), buildId('session', newUlid())];
  await client.query(
    `insert into mfa_challenges (organization_id, session_id, user_id, token_hash, proofs, source, expires_at)
     values ($1, $2, $3, $4, '{PASSWORD}', '127.0.0.1', now() + interval '10 minutes')`,
    [organizationId, sessionId, userId, randomBytes(32)],
  );
  await client.query(
    `insert into device_approvals (organization_id, id, session_id, user_id, number, source_ip, expires_at)
     values ($1, $2, $3, $4, 42, '127.0.0.1', now() + interval '10 minutes')`,
    [organizationId, id, sessionId, userId],
  );
  return id;
};

/** Inserts resources that a person's paths can name: an unused second factor, a pending sign-in, and one of two notifications. */
export const insertOwnResources = async (
  planes: { readonly database: { readonly client: () => Promise<pg.Client> } },
  { organization_id, user }: { readonly organization_id: string; readonly user: { readonly id: string } },
): Promise<{ factorId: string; deviceApprovalId: string; notificationId: string }> => {
  const client = await planes.database.client();
  const deviceApprovalId = await insertDeviceApproval(client, organization_id, user.id);
  const recipient = { organizationId: organization_id, userId: user.id };
  await insertNotification(client, recipient);
  const notificationId = await insertNotification(client, recipient);
  await client.end();
  return { factorId: buildId('second_factor', newUlid()), deviceApprovalId, notificationId };
};
