import type { Credential } from '@svc/contract/credentials/credentials.ts';
import type { DryCall } from '@svc/contract/tools/dry-call.ts';
import { showSecrets } from '@svc/domain/credentials/place-secret.ts';
import type { ExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';
import { checkHeaders } from '@svc/egress/requests/check-request.ts';

/** Headers for the body length and the connection, which are hidden: the length would disclose that of the secret. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'content-length']);
const ACTION = '{action_id}';

export type DryCallView = {
  readonly request: DryCall['request'];
  /** Position of the secret; null if there is none. */
  readonly place: string | null;
  readonly faults: readonly string[];
};

const sentHeaders = ({ method, headers, body, terms }: ExecutionRequest, url: URL) => {
  const own = [terms?.key_header, terms?.decision_header].flatMap((name) => (name ? [[name, ACTION]] : []));
  const request = {
    method,
    url: url.href,
    headers: { ...headers, ...Object.fromEntries(own) },
    tenant: '',
    ...(body === undefined ? {} : { body }),
  };
  return checkHeaders(request, url);
};

/** Shows a call as it would be sent, with a placeholder for its secret. */
export const formatCall = (call: ExecutionRequest, credential: Pick<Credential, 'scheme' | 'placement' | 'extras'> | null): DryCallView => {
  const url = new URL(call.url);
  const sent = sentHeaders(call, url);
  const [headers, faults] = 'headers' in sent ? [sent.headers, []] : [call.headers, [sent.reason]];
  const plain = {
    url,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name))),
    body: call.body,
  };
  const placed = credential === null ? { shown: plain, place: null } : showSecrets(plain, credential);
  const [shown, place, unplaced] = 'unplaced' in placed ? [plain, null, [placed.unplaced]] : [placed.shown, placed.place, []];
  const request = { method: call.method, url: shown.url.href, headers: { ...shown.headers }, body: shown.body ?? null };
  return { request, place, faults: [...faults, ...unplaced] };
};
