import { LIMITS } from '@svc/contract/tables/limits.ts';
import { classifyFailure, type PostFailure } from '@svc/domain/events/notification-channels/after-post.ts';
import type { ChannelReceiver } from '@svc/domain/events/notification-channels/kinds/receiver.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { formatUserMessage } from '@svc/egress/requests/explain-to-people.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';

const { timeoutMs, errorCharsMax } = LIMITS.channels;
const REDIRECT = 'The receiver returned a redirect, which is not followed. Set the target address as the URL.';
/** Path segments of this length are tokens and not words. */
const TOKEN_CHARS_MIN = 6;

/** Removes parts of the URL, in any valid escape, from a receiver's response that people see. */
export const removeUrl = (text: string, url: string): string => {
  const { pathname, search } = new URL(url);
  const parts = [url, pathname, search, ...`${pathname}/${search}`.split(/[/?&=]/)].filter(({ length }) => length >= TOKEN_CHARS_MIN);
  const hidden = parts.reduce((shown, part) => shown.replaceAll(part, '…').replaceAll(decodeURI(part), '…'), text);
  return truncateText(maskSecretText(hidden), errorCharsMax);
};

type Answer = { readonly status: number; readonly retryAfter: string | undefined; readonly body: string | null };

type Called = { readonly receiver: ChannelReceiver; readonly url: string };

const ofStatus = ({ status, retryAfter, body }: Answer, { receiver, url }: Called): PostFailure | undefined => {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return classifyFailure(receiver, status, undefined, REDIRECT);
  const said = removeUrl((body ?? '').trim(), url);
  return classifyFailure(
    receiver,
    status,
    retryAfter,
    truncateText(`The receiver returned ${status}${said === '' ? '' : `: ${said}`}.`, errorCharsMax),
  );
};

const unanswered = (reason: string, { url }: Called): PostFailure => ({ reason: removeUrl(reason, url), gone: false, askedMs: null });

/** Returns why a post did not arrive; undefined if it did. The status alone decides. */
export const judgePost = (result: EgressResult, called: Called): PostFailure | undefined => {
  switch (result.kind) {
    case 'answered':
      return ofStatus({ status: result.status, retryAfter: result.headers['retry-after'], body: result.body }, called);
    case 'answered_large':
      return ofStatus({ status: result.status, retryAfter: undefined, body: null }, called);
    case 'failed':
      return result.status === undefined
        ? unanswered(result.reason, called)
        : ofStatus({ status: result.status, retryAfter: undefined, body: null }, called);
    case 'timeout':
      return unanswered(`The receiver did not respond within ${timeoutMs / 1_000} seconds.`, called);
    case 'unreachable':
    case 'refused':
      return unanswered(formatUserMessage(result), called);
    default:
      return unanswered(result.reason, called);
  }
};
