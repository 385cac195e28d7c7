import { setTimeout as wait } from 'node:timers/promises';
import type { ControlClient } from '@svc/client/client.ts';
import { isServiceError } from '@svc/client/errors.ts';

export type FollowedEvent = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly type: string;
  readonly subject: { readonly id: string };
};

const RECONNECT_MS = 2_000;

const readNewestId = async (client: ControlClient): Promise<string | undefined> =>
  (await client.searchAuditEvents({ query: { limit: 1 } })).data[0]?.id;

async function* readEventStream(
  client: ControlClient,
  query: Readonly<Record<string, string>>,
  start: string | undefined,
): AsyncGenerator<FollowedEvent> {
  let after = start;
  for (;;) {
    try {
      for await (const { id, event, data } of await client.streamEvents({ query: after === undefined ? query : { ...query, after } })) {
        if (id !== '') after = id;
        // The last message of a stream states why it ended.
        if (event !== 'end') yield data;
      }
    } catch (error) {
      const isBroken = error instanceof TypeError || isServiceError(error, 'SERVICE_UNREACHABLE', 'DEPENDENCY_UNAVAILABLE', 'RATE_LIMITED');
      // A position is valid for an hour; after a longer break the stream starts at the newest event.
      if (isServiceError(error, 'INVALID_REQUEST') && after !== start) after = await readNewestId(client);
      else if (!isBroken) throw error;
    }
    await wait(RECONNECT_MS);
  }
}

/** Streams the events that follow the newest one. Resumes after a lost connection, without a gap if the break is shorter than an hour. */
export const followEvents = async (
  client: ControlClient,
  query: Readonly<Record<string, string>>,
): Promise<AsyncGenerator<FollowedEvent>> => readEventStream(client, query, await readNewestId(client));
