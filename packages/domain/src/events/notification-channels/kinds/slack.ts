import { LIMITS } from '@svc/contract/tables/limits.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { GAP, removeLinks } from '@svc/policy/values/without-links.ts';
import type { ChannelReceiver } from './receiver.ts';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Slack reads these three as the begin and end of mentions and links (mrkdwn). */
const escapeSlack = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPED[sign] ?? '');

/** Escapes a sentence with user-chosen names as a single line without mentions and links, in Slack and in chats that read Markdown. */
const slackText = (sentence: string): string => {
  const plain = maskSecretText(sentence)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const chars = [...plain];
  const { sentenceCharsMax } = LIMITS.channels;
  const short = chars.length > sentenceCharsMax ? `${chars.slice(0, sentenceCharsMax - 1).join('')}…` : plain;
  return escapeSlack(removeLinks(short).replaceAll('@', `@${GAP}`).replaceAll('](', `]${GAP}(`));
};

/** Disables mentions and links in names, and link previews. */
const AS_IT_STANDS = { link_names: false, parse: 'none', unfurl_links: false, unfurl_media: false } as const;

/** Incoming webhooks of Slack, whose format other chats read too. */
export const slack: ChannelReceiver = {
  hosts: ['hooks.slack.com'],
  // Statuses for a revoked webhook or a deleted channel.
  gone: new Set([403, 404, 410]),
  text: slackText,
  heading: (text) => `*${slackText(text).replaceAll('*', '')}*`,
  link: (url, label) => `<${escapeSlack(url).replaceAll('|', '%7C')}|${label}>`,
  contentType: 'application/json; charset=utf-8',
  body: (message) => JSON.stringify({ text: message, ...AS_IT_STANDS }),
};
