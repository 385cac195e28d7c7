import { newChannel } from '@svc/testing/events/new-channel.ts';
import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import type { NounScene } from './scene.ts';

const VIEWER = 'rol_00000000000000000000000007';

/**
 * Creates a user with an unproved address, and one of each resource that ends when another person proves it; their organization has one
 * more member.
 */
export const newSquatter = async ({
  planes,
  database,
}: NounScene): Promise<SignedUp & { readonly keyId: string; readonly webhookId: string; readonly channelId: string }> => {
  const person = await signUp(planes.controlUrl);
  const { user, organization, token } = person;
  await database.query(
    `insert into second_factors (user_id, id, kind, name, confirmed_at, enrolled_in, sealed_secret)
     values ($1, 'mfa_' || $1, 'TOTP', 'phone', now(), 'a session', 'sealed')`,
    [user.id],
  );
  await insertSso(planes.database, organization.id, user.id);
  await insertPerson(database, organization.id, 'viewer');
  const body = { name: 'theirs', role_id: VIEWER };
  const { api_key } = await newControlClient(planes.controlUrl, token).createApiKey({ body });
  const { subscriptionId: webhookId } = await newWebhook({ controlUrl: planes.controlUrl, token });
  const { channelId } = await newChannel({ controlUrl: planes.controlUrl, token });
  return { ...person, keyId: api_key.id, webhookId, channelId };
};

/** Returns the events of the claim: in the joined organization, if any, and in their own. */
export const listClaimEvents = (
  {
    user,
    keyId,
    webhookId,
    channelId,
  }: { readonly user: { readonly id: string }; readonly keyId: string; readonly webhookId: string; readonly channelId: string },
  joins: boolean,
) => {
  const everywhere = [
    ['user.password_changed', 'user', user.id],
    ['session.revoked', 'user', user.id],
  ] as const;
  return [
    ['user.mfa_factor_removed', 'user', user.id],
    ...(joins ? everywhere : []),
    ...everywhere,
    ['user.identity_unlinked', 'user', user.id],
    ['apikey.revoked', 'api_key', keyId],
    ['webhook.subscription_updated', 'webhook_subscription', webhookId],
    ['notification_channel.disabled', 'notification_channel', channelId],
  ] as const;
};
