import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { type PostFailure, reasonToDisable, waitMs } from '@svc/domain/events/notification-channels/after-post.ts';
import { type ChannelRules, channelUrlFault } from '@svc/domain/events/notification-channels/channel-address.ts';
import { postOf } from '@svc/domain/events/notification-channels/post-of.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { openChannelUrl } from '@svc/keyring/sealed/channel-url.ts';
import type { DataKeys } from '@svc/operations/credentials/remembered-data-keys.ts';
import { disableChannel } from '@svc/operations/events/notification-channels/disable-channel.ts';
import { change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { LeasedChannel } from '@svc/postgres/events/notification-channels/lease-channels.ts';
import {
  findPostedTo,
  listWaitingMessages,
  type PostedTo,
  type WaitingMessage,
} from '@svc/postgres/events/notification-channels/read-post.ts';
import { type SettledPost, settlePost } from '@svc/postgres/events/notification-channels/settle-post.ts';
import { asWorker } from '../webhooks/sending/as-worker.ts';
import { judgePost } from './judge-post.ts';

export type PostDeps = {
  readonly egress: Egress;
  /** As whoever changes something in one organization. */
  readonly database: Database;
  readonly dataKeyOf: DataKeys;
  readonly rules: ChannelRules;
  /** Which of several workers this is. */
  readonly worker: string;
  readonly clock: () => Date;
  /** Whether posts are broken off by us, which says nothing of their receivers. */
  readonly isClosing: () => boolean;
};

const USER_AGENT = `${WIRE_NAME}-channel/${API_VERSION}`;
const EGRESS_OFF = 'Egress is disabled (GATEWAY_ALLOW_REAL_EGRESS is false): nothing was sent, and what waits is for a day.';
const { everyMs, timeoutMs, offPauseSeconds } = LIMITS.channels;
/** Nothing in a name makes a mention or a link, and no link is unfolded. */
const AS_IT_STANDS = { link_names: false, parse: 'none', unfurl_links: false, unfurl_media: false } as const;

type Post = { readonly channel: LeasedChannel; readonly to: PostedTo; readonly messages: readonly WaitingMessage[] };

const send = async (deps: PostDeps, { channel, to, messages }: Post): Promise<PostFailure | undefined | 'off'> => {
  const url = openChannelUrl(deps.dataKeyOf(channel.organization_id, to.wrapped_key), to.sealed_url, channel);
  // What the operator allows may have become less since it was said.
  const fault = channelUrlFault(url, deps.rules);
  if (fault !== undefined) return { reason: `Its URL is not allowed any more. ${fault}`, gone: false, askedMs: null };
  if (deps.egress.disabledFor({ url }) !== undefined) return 'off';
  const result = await deps.egress.call({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': USER_AGENT },
    body: JSON.stringify({ text: postOf(to.organization_name, messages), ...AS_IT_STANDS }),
    timeoutMs,
    tenant: channel.organization_id,
  });
  return judgePost(result, url);
};

const settledBy = (sent: PostFailure | undefined | 'off', failures: number, told: SettledPost['done']): SettledPost => {
  if (sent === 'off') return { arrived: null, counts: false, gone: false, error: EGRESS_OFF, waitMs: offPauseSeconds * 1_000, done: [] };
  if (sent === undefined) return { arrived: true, counts: true, gone: false, error: null, waitMs: everyMs, done: told };
  const { reason, gone, askedMs } = sent;
  const wait = waitMs(failures + 1, askedMs, randomFraction());
  return { arrived: false, counts: askedMs === null, gone, error: reason, waitMs: wait, done: [] };
};

/** Records what came of it; a channel to which nothing has arrived for long ends, and the record says so. */
const settle = (deps: PostDeps, { organization_id, id }: LeasedChannel, settled: SettledPost): Promise<void> =>
  change<ClockEvent<'send-to-channels'>, void>(deps.database, asWorker(deps, organization_id), async (each) => {
    const now = deps.clock();
    const standing = await settlePost(each.tx, { organization_id, id, worker: deps.worker }, settled, now);
    if (standing === undefined || settled.arrived !== false) return;
    const reason = reasonToDisable(standing, now.getTime());
    if (reason !== undefined) await disableChannel(each, { organization_id, id, reason, now });
  });

/**
 * Posts what waits for a channel as one message, and records what came of it. No connection to the database is held while the receiver is
 * waited for. A worker that dies in between posts again, or another does, once the lease is over.
 */
export const postToChannel = async (deps: PostDeps, channel: LeasedChannel): Promise<void> => {
  const { organization_id } = channel;
  const read = await readInTenant(deps.database, { organization_id }, async (tx) => {
    const to = await findPostedTo(tx, channel, deps.worker);
    return to && { to, waiting: await listWaitingMessages(tx, channel, deps.clock()) };
  });
  if (read === undefined) return;
  const over = read.waiting.filter(({ is_over }) => is_over);
  const messages = read.waiting.filter(({ is_over }) => !is_over);
  if (messages.length === 0) {
    await settle(deps, channel, { arrived: null, counts: false, gone: false, error: null, waitMs: 0, done: over });
    return;
  }
  const sent = await send(deps, { channel, to: read.to, messages });
  if (deps.isClosing() && sent !== undefined) return;
  const settled = settledBy(sent, read.to.failures, messages);
  await settle(deps, channel, { ...settled, done: [...settled.done, ...over] });
};
