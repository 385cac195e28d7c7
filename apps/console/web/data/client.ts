import { newCaller, type Operation } from '@svc/client/caller.ts';
import type { ControlClient, OperationInput, PlaneOperations } from '@svc/client/client-types.ts';
import { ServiceError } from '@svc/client/errors.ts';
import { newRequest } from '@svc/client/request.ts';
import { bearerTransport } from '@svc/client/transports/bearer.ts';
import { cookieTransport } from '@svc/client/transports/cookie.ts';
import type { Transport } from '@svc/client/transports/transport.ts';
import type { ApiAnswer } from './answer.ts';
import { FIRST_OPERATIONS } from './first-operations.ts';

export type ControlOperation = PlaneOperations<'control'>;
/** The body of an operation. Forms assert it: what their fields hold is text, and the service validates it. */
export type OperationBody<Name extends ControlOperation> = NonNullable<OperationInput<Name>['body']>;

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

/** Requests of the control plane by the names of operations. */
type ConsoleClient = Pick<ControlClient, 'request'>;

const first: ReadonlyMap<string, Operation> = new Map(Object.entries(FIRST_OPERATIONS));

/** Loads the table of all operations with the first one that the layout and the approval card do not send. */
const findOperation = async (name: string): Promise<Operation | undefined> => {
  const known = first.get(name);
  if (known !== undefined) return known;
  try {
    const { OPERATIONS } = await import('@svc/client/operations.ts');
    return new Map<string, Operation>(Object.entries(OPERATIONS)).get(name);
  } catch {
    throw new ServiceError(UNREACHABLE);
  }
};

/** Pages do not retry on their own; people do. */
const createConsoleClient = (transport: Transport): ConsoleClient =>
  ({ request: newRequest(newCaller(findOperation, { transport: withPlainFailures(transport), retries: 0 })) }) as ConsoleClient;

/** The control plane. The session is in a cookie. */
export const client: ConsoleClient = createConsoleClient(cookieTransport());

/** A client without cookies, as a program has one: a session that it opens is returned and not kept by the browser. */
export const getProgramClient = (token?: string): ConsoleClient =>
  createConsoleClient(bearerTransport({ url: location.origin, ...(token === undefined ? {} : { token }) }));

/** Reads the file of a download. */
export const readDownload = async (answer: ApiAnswer<Response>): Promise<ApiAnswer<Blob>> => {
  if (!answer.ok) return answer;
  try {
    return { ok: true, body: await answer.body.blob() };
  } catch (error) {
    // Browsers reject with a TypeError where the connection ends before the body does.
    if (!(error instanceof TypeError)) throw error;
    return { ok: false, error: new ServiceError(UNREACHABLE) };
  }
};
