import { LIMITS } from '@svc/contract/tables/limits.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { GAP, withoutLinks } from '@svc/policy/values/without-links.ts';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Slack reads these three as the begin and end of mentions and links (mrkdwn). */
export const escapeSlack = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPED[sign] ?? '');

/**
 * A sentence with names in it that anybody may have chosen, as text that mentions nobody, leads nowhere and is one line, in Slack and in chats
 * that read Markdown besides.
 */
export const slackText = (sentence: string): string => {
  const plain = maskSecretText(sentence)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const chars = [...plain];
  const { sentenceCharsMax } = LIMITS.channels;
  const short = chars.length > sentenceCharsMax ? `${chars.slice(0, sentenceCharsMax - 1).join('')}…` : plain;
  return escapeSlack(withoutLinks(short).replaceAll('@', `@${GAP}`).replaceAll('](', `]${GAP}(`));
};
