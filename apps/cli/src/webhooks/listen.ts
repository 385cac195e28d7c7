import { createHmac, randomBytes } from 'node:crypto';
import { followEvents } from '../session/follow-events.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { getNormalUrl } from '../session/open-cli.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

const FORWARD_TIMEOUT_MS = 10_000;

/** The headers of a webhook delivery, signed as the service signs them. */
const deliveryHeaders = (
  secret: string,
  body: string,
  event: { readonly id: string; readonly type: string },
): Readonly<Record<string, string>> => {
  const time = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'svc-signature': `t=${time},v1=${digest}`,
    'svc-event-id': event.id,
    'svc-event-type': event.type,
    'svc-delivery-id': `local_${event.id}`,
    'svc-delivery-attempt': '1',
  };
};

const forward = async (target: string, secret: string, event: { readonly id: string; readonly type: string }): Promise<string> => {
  const body = JSON.stringify(event);
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: deliveryHeaders(secret, body, event),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) return 'no response';
    throw error;
  }
};

/** Sends events to a receiver on this machine, signed like deliveries of a webhook. Nothing is registered at the service. */
export const listenWebhooks: RunCommand = async (cli, _, options) => {
  const { client } = await cli.connect();
  const query = typeof options.type === 'string' ? { type: options.type } : {};
  const target = typeof options.forward === 'string' ? getNormalUrl(options.forward) : undefined;
  const secret = `whsec_${randomBytes(39).toString('base64url').slice(0, 52)}`;
  if (target !== undefined) cli.io.note(`Signing secret of this run: ${secret}`);
  const events = await followEvents(client, query);
  cli.io.note('Listening. Stop with Ctrl-C.');
  for await (const event of events) {
    const status = target === undefined ? undefined : await forward(target, secret, event);
    if (cli.json) cli.io.out(JSON.stringify(status === undefined ? event : { ...event, forwarded: status }));
    else
      cli.io.out(
        [event.type, event.id, status === undefined ? '' : `→ ${status}`]
          .map((part) => escapeControlCharacters(part))
          .join('  ')
          .trimEnd(),
      );
  }
};
