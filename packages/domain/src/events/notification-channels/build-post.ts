import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type SentenceFacts, writeSentence, writeSummary } from '../notifications/sentences.ts';
import type { ChannelReceiver } from './kinds/receiver.ts';

/** A message that waits for a channel. */
export type ChannelMessage = {
  /** Null of a test. */
  readonly kind: NotificationKind | null;
  readonly facts: SentenceFacts;
  /** The number of notifications it represents. */
  readonly gathered: number;
  /** True if it is a count only. */
  readonly is_rest: boolean;
  readonly link: string;
};

const { postCharsMax, listedPerPostMax } = LIMITS.channels;
const TEST = 'This is a test message. Notifications will be posted here.';

const LINK = 'View';

type Own = { readonly kind: NotificationKind | null; readonly messages: readonly ChannelMessage[] };

const listLines = (receiver: ChannelReceiver, { kind, messages }: Own): { readonly each: string[]; readonly all: string } => {
  if (kind === null) return { each: [TEST], all: TEST };
  const count = messages.reduce((sum, { gathered }) => sum + gathered, 0);
  const all = `${receiver.text(writeSummary(new Map([[kind, count]])))}.`;
  const isFew = count <= listedPerPostMax && count === messages.length && !messages.some(({ is_rest }) => is_rest);
  return { each: isFew ? messages.map(({ facts }) => receiver.text(writeSentence(kind, { facts, count: null }))) : [all], all };
};

/** The text for one kind: in full, and as a count. */
const getBlock = (receiver: ChannelReceiver, own: Own): { readonly long: string; readonly short: string } => {
  const { each, all } = listLines(receiver, own);
  const link = receiver.link(own.messages[0]?.link ?? '', LINK);
  const block = (lines: readonly string[]): string => `\n${lines.map((line) => `• ${line}`).join('\n')}\n${link}`;
  return { long: block(each), short: block([all]) };
};

/**
 * Formats one message for everything that waits for a channel: few of a kind as sentences, many as a count. The count of each kind is
 * placed
 * first, so that no long name displaces another kind; the remaining space is for sentences.
 */
export const buildPost = (receiver: ChannelReceiver, organization: string, messages: readonly ChannelMessage[]): string => {
  const head = receiver.heading(organization);
  const blocks = [...Map.groupBy(messages, (message) => message.kind)].map(([kind, own]) => getBlock(receiver, { kind, messages: own }));
  let left = blocks.reduce((room, { short }) => room - short.length, postCharsMax - head.length);
  const told = blocks.map(({ long, short }) => {
    const more = long.length - short.length;
    if (more > left) return short;
    left -= more;
    return long;
  });
  return [head, ...told].join('');
};
