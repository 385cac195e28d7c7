import { mustCall } from '../people/client.ts';
import { newUlid } from '../records/new-ulid.ts';

type Of = { readonly controlUrl: string; readonly token: string };

/** Creates a Slack channel that no longer exists, as a target for paths. */
export const newChannel = async ({ controlUrl, token }: Of, more: object = {}): Promise<{ readonly channelId: string }> => {
  const webhook_url = `https://hooks.slack.com/services/T0/B0/${newUlid()}`;
  const body = { name: `Channel ${newUlid()}`, webhook_url, notices: ['emergency'], ...more };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/notification-channels', { token, body });
  return { channelId: id };
};
