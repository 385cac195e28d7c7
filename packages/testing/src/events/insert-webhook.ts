import { buildId, SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { sealWebhookSecret } from '@svc/keyring/tokens/webhook-secret.ts';
import type pg from 'pg';
import { TEST_MASTER_KEY } from '../database/master-key.ts';
import { newUlid } from '../records/new-ulid.ts';

export type InsertedWebhook = { readonly id: string; readonly secret: string };

/** Inserts a subscription as the owner of the database; a person of the organization vouches for it. */
export const insertWebhook = async (
  owner: pg.Client,
  { organizationId, userId, url }: { readonly organizationId: string; readonly userId: string; readonly url: string },
): Promise<InsertedWebhook> => {
  const masterKey = readMasterKey(TEST_MASTER_KEY);
  if (!masterKey.ok) throw new Error(masterKey.reason);
  const id = buildId('webhook_subscription', newUlid());
  const secret = newSecretToken(SECRET_PREFIXES.webhook_secret);
  const sealed = sealWebhookSecret(deriveKey(masterKey.key, 'webhook-sealing'), secret, { organization_id: organizationId, id });
  await owner.query(
    `insert into webhook_subscriptions (organization_id, id, name, url, event_types, sealed_secret, vouched_by_type, vouched_by, created_by)
     values ($1, $2, $2, $3, array['agent.created'], $4, 'USER', $5, $5)`,
    [organizationId, id, url, sealed, userId],
  );
  return { id, secret };
};

/** Inserts an organization with an owner who vouches for inserted rows; no plane is needed. */
export const insertOrganization = async (owner: pg.Client): Promise<{ readonly organizationId: string; readonly userId: string }> => {
  const [organizationId, userId] = [buildId('organization', newUlid()), buildId('user', newUlid())];
  await owner.query("insert into organizations (id, name, base_currency) values ($1, $1, 'USD')", [organizationId]);
  await owner.query("insert into users (id, email, name, password_hash) values ($1, lower($1) || '@example.com', 'Owner', 'none')", [
    userId,
  ]);
  await owner.query("insert into members (organization_id, id, user_id, role_id) values ($1, $2, $3, 'rol_00000000000000000000000001')", [
    ...[organizationId, buildId('member', newUlid()), userId],
  ]);
  return { organizationId, userId };
};
