import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type ReceiverRequest, readReceiverRequest } from '@svc/domain/events/webhooks/receiver-request.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { formatUserMessage } from '@svc/egress/requests/explain-to-people.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';

/** Result of an attempt: delivered, or why not. */
export type AttemptVerdict = {
  readonly response_status: number | null;
  readonly reason: string | null;
  readonly excerpt: string | null;
  /** Requests of the receiver that are honoured. */
  readonly asked: ReceiverRequest;
};

const REDIRECT = 'The receiver returned a redirect, which is not followed. Set the target address as the URL.';
const GONE = 'The receiver returned 410 (Gone), so the subscription is disabled. Re-enable it to resume deliveries.';
const STALE =
  'The receiver had closed the open connection of an earlier delivery. The delivery is retried immediately over a new connection.';

type Answered = Pick<Extract<EgressResult, { kind: 'answered' }>, 'status' | 'headers'> & { readonly body: string | null };

const ofStatus = ({ status, headers, body }: Answered, otherwise = `The receiver returned ${status}.`): AttemptVerdict => {
  const excerpt = body === null || body === '' ? null : truncateText(maskSecretText(body), LIMITS.webhooks.excerptCharsMax);
  if (status >= 200 && status < 300) return { response_status: status, reason: null, excerpt, asked: null };
  const asked = readReceiverRequest(status, headers['retry-after']);
  const reason = status >= 300 && status < 400 ? REDIRECT : asked === 'gone' ? GONE : otherwise;
  return { response_status: status, reason, excerpt, asked };
};

const unanswered = (reason: string, asked: ReceiverRequest = null): AttemptVerdict => ({
  response_status: null,
  reason,
  excerpt: null,
  asked,
});

/** A delivery is accepted by its status alone; the body does not matter. */
export const judgeAttempt = (result: EgressResult): AttemptVerdict => {
  switch (result.kind) {
    case 'answered':
      return ofStatus(result);
    case 'answered_large':
      return ofStatus({ status: result.status, headers: {}, body: null });
    case 'failed':
      if (result.stale) return unanswered(STALE, 'again');
      return result.status === undefined
        ? unanswered(result.reason)
        : ofStatus({ status: result.status, headers: {}, body: null }, result.reason);
    case 'timeout':
      return unanswered(`The receiver did not respond within ${LIMITS.webhooks.deliveryTimeoutMs / 1_000} seconds.`);
    case 'unreachable':
    case 'refused':
      return unanswered(formatUserMessage(result));
    default:
      return unanswered(result.reason);
  }
};
