import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { type PostFailure, reasonToDisable, waitMs } from '@svc/domain/events/notification-channels/after-post.ts';
import { buildPost } from '@svc/domain/events/notification-channels/build-post.ts';
import { type ChannelRules, findChannelUrlFault } from '@svc/domain/events/notification-channels/channel-address.ts';
import { RECEIVERS } from '@svc/domain/events/notification-channels/kinds/receivers.ts';
import { mayBeSent } from '@svc/domain/events/notification-channels/may-be-sent.ts';
import { voucherRights } from '@svc/domain/events/webhooks/voucher.ts';
import type { Rights } from '@svc/domain/people/auth/effective-rights.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { openChannelUrl } from '@svc/keyring/sealed/channel-url.ts';
import { disableChannel } from '@svc/operations/events/notification-channels/disable-channel.ts';
import type { DataKeys } from '@svc/operations/service/keys/remembered-data-keys.ts';
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
import { readVouchers } from '@svc/postgres/events/webhooks/read-vouchers.ts';
import { createSystemContext } from '../../system-context.ts';
import { judgePost } from './judge-post.ts';
import type { PostMeter } from './post-meter.ts';

export type PostDeps = {
  readonly egress: Egress;
  /** Writes in one organization. */
  readonly database: Database;
  readonly dataKeyOf: DataKeys;
  readonly rules: ChannelRules;
  readonly meter: Pick<PostMeter, 'ended'>;
  readonly clock: () => Date;
  /** True while this process aborts posts, which says nothing about their receivers. */
  readonly isClosing: () => boolean;
};

const USER_AGENT = `${WIRE_NAME}-channel/${API_VERSION}`;
const EGRESS_OFF = 'Egress is disabled (GATEWAY_ALLOW_REAL_EGRESS is false): nothing was sent. Messages wait for at most a day.';
const { everyMs, timeoutMs, egressOffPollSeconds } = LIMITS.channels;

const NOT_MADE = { arrived: null, counts: false, gone: false, error: null, waitMs: 0 } as const;

type Post = { readonly channel: LeasedChannel; readonly to: PostedTo; readonly messages: readonly WaitingMessage[] };

const send = async (deps: PostDeps, { channel, to, messages }: Post): Promise<PostFailure | undefined | 'off'> => {
  const url = openChannelUrl(deps.dataKeyOf(channel.organization_id, to.wrapped_key), to.sealed_url, channel);
  const receiver = RECEIVERS[to.kind];
  // The operator may permit fewer hosts than when the URL was set.
  const fault = findChannelUrlFault(receiver, url, deps.rules);
  if (fault !== undefined) return { reason: `Its URL is no longer allowed. ${fault}`, gone: false, askedMs: null };
  if (deps.egress.disabledFor({ url }) !== undefined) return 'off';
  const result = await deps.egress.call({
    method: 'POST',
    url,
    headers: { 'content-type': receiver.contentType, 'user-agent': USER_AGENT },
    body: receiver.body(buildPost(receiver, to.organization_name, messages)),
    timeoutMs,
    tenant: channel.organization_id,
  });
  return judgePost(result, { receiver, url });
};

const settledBy = (sent: PostFailure | undefined | 'off', failures: number, told: SettledPost['done']): SettledPost => {
  if (sent === 'off') return { ...NOT_MADE, error: EGRESS_OFF, waitMs: egressOffPollSeconds * 1_000, done: [] };
  if (sent === undefined) return { arrived: true, counts: true, gone: false, error: null, waitMs: everyMs, done: told };
  const { reason, gone, askedMs } = sent;
  const wait = waitMs(failures + 1, askedMs, randomFraction());
  return { arrived: false, counts: askedMs === null, gone, error: reason, waitMs: wait, done: [] };
};

/** Records the result; disables a channel that has failed for long, or whose person may not create one any more, with an event. */
const settle = (deps: PostDeps, channel: LeasedChannel, settled: SettledPost, isOfNobody = false): Promise<void> =>
  change<ClockEvent<'send-to-channels'>, void>(deps.database, createSystemContext(channel.organization_id, deps.clock()), async (each) => {
    const now = deps.clock();
    const standing = await settlePost(each.tx, channel, settled, now);
    if (standing === undefined) return;
    const failed = settled.arrived === false ? reasonToDisable(standing, now.getTime()) : undefined;
    const reason = isOfNobody ? 'RIGHTS_LOST' : failed;
    if (reason !== undefined) await disableChannel(each, { ...channel, reason, now });
  });

type Read = { readonly to: PostedTo; readonly waiting: readonly WaitingMessage[]; readonly rights: Rights | undefined };

const read = (deps: PostDeps, channel: LeasedChannel): Promise<Read | undefined> =>
  readInTenant(deps.database, channel, async (tx) => {
    const to = await findPostedTo(tx, channel);
    if (to === undefined) return undefined;
    const now = deps.clock();
    const [links = []] = await readVouchers(tx, [{ ...channel, id: to.vouched_by }]);
    return { to, waiting: await listWaitingMessages(tx, channel, now), rights: voucherRights(links, now.getTime()) };
  });

/** Drops messages that the channel's person may no longer read. Tests contain no data. */
const isTold = (rights: Rights, { is_over, kind, workspace_id }: WaitingMessage): boolean =>
  !is_over && (kind === null || mayBeSent(rights, { kind, workspace_id }));

/**
 * Posts the queued messages of a channel as one, and records the result. No database connection is held during the call. If a worker dies
 * in between, the post is repeated when the lease expires.
 */
export const postToChannel = async (deps: PostDeps, channel: LeasedChannel): Promise<void> => {
  const found = await read(deps, channel);
  if (found === undefined) return;
  const { to, waiting, rights } = found;
  if (rights === undefined) return settle(deps, channel, { ...NOT_MADE, done: [] }, true);
  const messages = waiting.filter((each) => isTold(rights, each));
  const over = waiting.filter((each) => !messages.includes(each));
  if (messages.length === 0) return settle(deps, channel, { ...NOT_MADE, done: over });
  const sent = await send(deps, { channel, to, messages });
  if (deps.isClosing() && sent !== undefined) return;
  const settled = settledBy(sent, to.failures, messages);
  await settle(deps, channel, { ...settled, done: [...settled.done, ...over] });
  deps.meter.ended(settled);
};
