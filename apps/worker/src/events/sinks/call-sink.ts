import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';

type Call = { readonly method: string; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Sends a request to a destination; returns the body of its response. Throws unless the status is 2xx. */
export const callSink = async (egress: Egress, call: Call): Promise<string> => {
  const result = await egress.call({ ...call, tenant: 'sinks', timeoutMs: LIMITS.sinks.deliverMs });
  if (result.kind !== 'answered') throw new Error(`The sink did not answer: ${result.kind}.`);
  if (result.status < 200 || result.status >= 300) throw new Error(`The sink returned ${result.status}.`);
  return result.body;
};

/** Returns the address of a URL such as `s3+https://…`, without user and query. */
export const formatAddress = ({ protocol, host, pathname }: URL): string =>
  `${protocol.split('+')[1]}//${host}${pathname.replace(/\/$/, '')}`;
