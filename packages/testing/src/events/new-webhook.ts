import { mustCall } from '../people/client.ts';
import { newUlid } from '../records/new-ulid.ts';

type Of = { readonly controlUrl: string; readonly token: string };

/** Creates a subscription to an unreachable receiver and a test delivery of it, as targets for paths. */
export const newWebhook = async (
  { controlUrl, token }: Of,
  more: object = {},
): Promise<{ readonly subscriptionId: string; readonly deliveryId: string }> => {
  const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
  const body = { name: `Receiver ${newUlid()}`, url: 'https://127.0.0.1:9/hook', event_types: ['agent.created'], ...more };
  const { id } = await post('/v1/webhooks', body);
  const delivery = await post(`/v1/webhooks/${id}/test`, {});
  return { subscriptionId: id, deliveryId: delivery.id };
};
