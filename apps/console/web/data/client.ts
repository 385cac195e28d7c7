import { createControlClient } from '@svc/client/client.ts';
import type { ControlClient, InputOf, OperationsOf } from '@svc/client/client-types.ts';
import { ServiceError } from '@svc/client/errors.ts';
import { bearerTransport } from '@svc/client/transports/bearer.ts';
import { cookieTransport } from '@svc/client/transports/cookie.ts';
import type { Transport } from '@svc/client/transports/transport.ts';
import type { Answer } from './answer.ts';

export type ControlOperation = OperationsOf<'control'>;
/** The body of an operation. Forms assert it: what their fields hold is text, and the service validates it. */
export type BodyOf<Name extends ControlOperation> = NonNullable<InputOf<Name>['body']>;

const UNREACHABLE = { code: 'SERVICE_UNREACHABLE', message: 'The service did not respond. Check your connection and try again.' } as const;

/** Replaces a failure of the network by an error in the words of the person who reads it. */
const withPlainFailures = (transport: Transport): Transport => ({
  ...transport,
  send: async (request) => {
    try {
      return await transport.send(request);
    } catch {
      request.signal.throwIfAborted();
      throw new ServiceError(UNREACHABLE);
    }
  },
});

const cookies = cookieTransport();

/** The control plane, one method per operation. The session is in a cookie. Pages do not retry on their own; people do. */
export const client: ControlClient = createControlClient({ transport: withPlainFailures(cookies), retries: 0 });

/** A client without cookies, as a program has one: a session that it opens is returned and not kept by the browser. */
export const getProgramClient = (token?: string): ControlClient => {
  const transport = bearerTransport({ url: location.origin, ...(token === undefined ? {} : { token }) });
  return createControlClient({ transport: withPlainFailures(transport), retries: 0 });
};

/** Reads the file of a download. */
export const readDownload = async (answer: Answer<Response>): Promise<Answer<Blob>> => {
  if (!answer.ok) return answer;
  try {
    return { ok: true, body: await answer.body.blob() };
  } catch (error) {
    // Browsers reject with a TypeError where the connection ends before the body does.
    if (!(error instanceof TypeError)) throw error;
    return { ok: false, error: new ServiceError(UNREACHABLE) };
  }
};
