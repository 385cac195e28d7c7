import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Facts, sentenceOf, summaryOf } from '../notifications/sentences.ts';
import type { Receiver } from './kinds/receiver.ts';

/** What waits for a channel. */
export type ChannelMessage = {
  /** Null of a test. */
  readonly kind: NotificationKind | null;
  readonly facts: Facts;
  /** How many it stands for. */
  readonly gathered: number;
  /** Whether it is told as a number alone. */
  readonly is_rest: boolean;
  readonly link: string;
};

const { postCharsMax, toldOneByOneMax } = LIMITS.channels;
const TEST = 'This is a test message. Notifications will be posted here.';

const LINK = 'View';

type Own = { readonly kind: NotificationKind | null; readonly messages: readonly ChannelMessage[] };

const linesOf = (receiver: Receiver, { kind, messages }: Own): { readonly each: string[]; readonly all: string } => {
  if (kind === null) return { each: [TEST], all: TEST };
  const count = messages.reduce((sum, { gathered }) => sum + gathered, 0);
  const all = `${receiver.text(summaryOf(new Map([[kind, count]])))}.`;
  const isFew = count <= toldOneByOneMax && count === messages.length && !messages.some(({ is_rest }) => is_rest);
  return { each: isFew ? messages.map(({ facts }) => receiver.text(sentenceOf(kind, { facts, count: null }))) : [all], all };
};

/** What is said of one kind: at length, and as a number. */
const blockOf = (receiver: Receiver, own: Own): { readonly long: string; readonly short: string } => {
  const { each, all } = linesOf(receiver, own);
  const link = receiver.link(own.messages[0]?.link ?? '', LINK);
  const block = (lines: readonly string[]): string => `\n${lines.map((line) => `• ${line}`).join('\n')}\n${link}`;
  return { long: block(each), short: block([all]) };
};

/**
 * Formats one message about everything that waits for a channel: few of a kind each in a sentence, many as their number. There
 * is room for the number of each kind first, so that no name is so long that it keeps another kind out; what is left is for sentences.
 */
export const postOf = (receiver: Receiver, organization: string, messages: readonly ChannelMessage[]): string => {
  const head = receiver.heading(organization);
  const blocks = [...Map.groupBy(messages, (message) => message.kind)].map(([kind, own]) => blockOf(receiver, { kind, messages: own }));
  let left = blocks.reduce((room, { short }) => room - short.length, postCharsMax - head.length);
  const told = blocks.map(({ long, short }) => {
    const more = long.length - short.length;
    if (more > left) return short;
    left -= more;
    return long;
  });
  return [head, ...told].join('');
};
