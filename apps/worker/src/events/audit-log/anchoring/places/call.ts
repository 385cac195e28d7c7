import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { formatUserMessage } from '@svc/egress/requests/explain-to-people.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { type AnchoredCheckpoint, failAnchor } from '../anchor.ts';

const USER_AGENT = `${WIRE_NAME}-anchor/${API_VERSION}`;

export type AnchorResponse = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Call = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly tenant: string;
};

/** Returns the response of an anchor; otherwise why there is none. Redirects are ordinary responses and are not followed. */
export const callPlace = async (
  egress: Egress,
  { headers, ...call }: Call,
): Promise<AnchorResponse | Extract<AnchoredCheckpoint, { kind: 'failed' }>> => {
  const result = await egress.call({ ...call, headers: { 'user-agent': USER_AGENT, ...headers }, timeoutMs: LIMITS.anchors.timeoutMs });
  if (result.kind === 'answered') return { status: result.status, headers: result.headers, body: result.body };
  const reason =
    result.kind === 'timeout'
      ? 'The anchor did not respond in time.'
      : result.kind === 'unreachable' || result.kind === 'refused'
        ? formatUserMessage(result)
        : 'reason' in result
          ? result.reason
          : 'The response is too large.';
  return { kind: 'failed', reason };
};

export const isAnswer = (said: AnchorResponse | AnchoredCheckpoint): said is AnchorResponse => 'status' in said;

/** Returns why a status is not the expected one. */
export const describeUnexpectedStatus = (status: number): AnchoredCheckpoint =>
  failAnchor(
    status >= 300 && status < 400
      ? `The anchor returned ${status}, a redirect, which is not followed. Set the address that it redirects to.`
      : `The anchor returned ${status}.`,
  );
