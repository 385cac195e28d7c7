import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Facts, sentenceOf, summaryOf } from '../notifications/sentences.ts';
import { escapeSlack, slackText } from './slack-text.ts';

/** What waits for a channel. */
export type ChannelMessage = {
  /** Null of a test. */
  readonly kind: NotificationKind | null;
  readonly facts: Facts;
  /** How many it stands for. */
  readonly gathered: number;
  readonly link: string;
};

const { postCharsMax, toldOneByOneMax } = LIMITS.channels;
const TEST = 'This is a test: notifications arrive here.';

const linkOf = (link: string): string => `<${escapeSlack(link).replaceAll('|', '%7C')}|Look at it>`;

const linesOf = (kind: NotificationKind | null, messages: readonly ChannelMessage[]): { readonly each: string[]; readonly all: string } => {
  if (kind === null) return { each: [TEST], all: TEST };
  const count = messages.reduce((sum, { gathered }) => sum + gathered, 0);
  const all = `${slackText(summaryOf(new Map([[kind, count]])))}.`;
  const isFew = count <= toldOneByOneMax && count === messages.length;
  return { each: isFew ? messages.map(({ facts }) => slackText(sentenceOf(kind, { facts, count: null }))) : [all], all };
};

/**
 * The text of one post (Slack mrkdwn) about everything that waits for a channel: few of a kind each in a sentence, many as their number. Its
 * length is bounded: what would make it longer is a number too.
 */
export const postOf = (organization: string, messages: readonly ChannelMessage[]): string => {
  let text = `*${slackText(organization).replaceAll('*', '')}*`;
  for (const [kind, own] of Map.groupBy(messages, (message) => message.kind)) {
    const { each, all } = linesOf(kind, own);
    const link = linkOf(own[0]?.link ?? '');
    const [long, short] = [each, [all]].map((lines) => `\n${lines.map((line) => `• ${line}`).join('\n')}\n${link}`);
    const fits = (block = ''): boolean => text.length + block.length <= postCharsMax;
    text += fits(long) ? long : fits(short) ? short : '';
  }
  return text;
};
