import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { describeAllowingSetting, formatUserMessage } from '@svc/egress/requests/explain-to-people.ts';
import type { CustomFetch } from 'openid-client';

/** A fetch function for one identity provider, and the message for users about the last failed request. */
export type ProviderFetch = { readonly fetch: CustomFetch; readonly failure: () => string | undefined };

const UNREACHABLE = 'The provider could not be reached.';

const getFailure = (result: EgressResult): string => {
  if (result.kind === 'timeout') return 'The provider did not respond in time.';
  if (result.kind === 'refused') return formatUserMessage(result);
  if (result.kind === 'unreachable')
    return result.forbidden ? `The address of the provider is not allowed.${describeAllowingSetting(result)}` : result.detail;
  return 'reason' in result ? result.reason : 'The response of the provider is too large.';
};

const NULL_BODY_STATUSES = new Set([101, 204, 205, 304]);

/** Sends every request to a provider through the egress client: no internal address, bounded bytes and time, no redirects. */
export const createProviderFetch = (egress: Egress, organizationId: string): ProviderFetch => {
  let failure: string | undefined;
  const fetch: CustomFetch = async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? undefined : String(body as URLSearchParams | string);
    const result = await egress.call({
      method,
      url,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')),
      ...(text === undefined ? {} : { body: text }),
      tenant: organizationId,
    });
    if (result.kind !== 'answered') {
      failure = getFailure(result);
      throw new TypeError(failure);
    }
    const { status } = result;
    if (status < 200 || status > 599) throw new TypeError(UNREACHABLE);
    if (status >= 300 && status < 400) failure = 'The provider responded with a redirect, which is not followed.';
    if (status >= 500) failure = `The provider responded with status ${status}.`;
    return new Response(NULL_BODY_STATUSES.has(status) ? null : result.body, { status, headers: result.headers });
  };
  return { fetch, failure: () => failure };
};
