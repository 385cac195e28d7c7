import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';

/** How an attempt went: whether it arrived, and otherwise why not. */
export type Verdict = { readonly response_status: number | null; readonly reason: string | null; readonly excerpt: string | null };

const REDIRECT = 'The receiver answered with a redirect, which is not followed: give its own address as the URL.';

const ofStatus = (status: number, body: string | null, otherwise: string): Verdict => {
  const excerpt = body === null || body === '' ? null : maskSecretText(body).slice(0, LIMITS.webhooks.excerptCharsMax);
  if (status >= 200 && status < 300) return { response_status: status, reason: null, excerpt };
  return { response_status: status, reason: status >= 300 && status < 400 ? REDIRECT : otherwise, excerpt };
};

const unanswered = (reason: string): Verdict => ({ response_status: null, reason, excerpt: null });

/** A receiver has taken a delivery when its status says so, whatever else it answers. */
export const judge = (result: EgressResult): Verdict => {
  switch (result.kind) {
    case 'answered':
      return ofStatus(result.status, result.body, `The receiver answered ${result.status}.`);
    case 'answered_large':
      return ofStatus(result.status, null, `The receiver answered ${result.status}.`);
    case 'failed':
      return result.status === undefined ? unanswered(result.reason) : ofStatus(result.status, null, result.reason);
    case 'timeout':
      return unanswered(`The receiver did not answer within ${LIMITS.webhooks.deliveryTimeoutMs / 1_000} seconds.`);
    case 'unreachable':
      return unanswered(result.detail);
    default:
      return unanswered(result.reason);
  }
};
