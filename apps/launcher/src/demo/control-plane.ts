import {
  bearerTransport,
  type ControlClient,
  createControlClient,
  OPERATIONS,
  type OperationInput,
  type OperationResult,
  type ServiceError,
  type Transport,
} from '@svc/client/client.ts';
import { StoryFault } from '../faults/story-fault.ts';
import { abridge } from './abridge.ts';
import type { Narrator } from './narrator.ts';

type Operation = Exclude<keyof ControlClient, 'request'>;

/** Client of the control plane for one person; each call is printed. */
export type ControlPlane = {
  /** Returns the result; `describe` adds a description to the status. Anything but success ends the story. */
  readonly ask: <Name extends Operation>(
    name: Name,
    input: OperationInput<Name>,
    describe?: (result: OperationResult<Name>) => string,
  ) => Promise<OperationResult<Name>>;
  /** Returns the refusal. Any other response ends the story. */
  readonly askRefused: <Name extends Operation>(code: string, name: Name, input: OperationInput<Name>) => Promise<ServiceError>;
};

const describeRequest = (name: Operation): string => `${OPERATIONS[name].method} ${OPERATIONS[name].path}`;

const describeError = ({ status, code, message, requestId, details }: ServiceError): string =>
  `${status} ${code}: ${message} (${requestId})${Object.keys(details).length === 0 ? '' : ` ${JSON.stringify(details)}`}`;

/** Prints each request before it is sent. */
const narrated = (transport: Transport, tell: Narrator, who: string): Transport => ({
  send: (request) => {
    const { method, path, body } = request;
    tell.asks(who, typeof body === 'string' ? `${method} ${path} ${abridge(JSON.parse(body))}` : `${method} ${path}`);
    return transport.send(request);
  },
});

/** Opens a client for `who`, with their session token once they have one. */
export const connectControlPlane = (url: string, tell: Narrator, who: string, token?: string): ControlPlane => {
  const transport = narrated(bearerTransport(token === undefined ? { url } : { url, token }), tell, who);
  const client = createControlClient({ transport, retries: 0 });
  const call = async <Name extends Operation>(name: Name, input: OperationInput<Name>) => {
    const outcome = await client.request(name, input);
    if (!outcome.ok && outcome.error.code === 'SERVICE_UNREACHABLE')
      throw new StoryFault(`${new URL(url).origin} does not answer any more: see that the service runs, and begin again.`);
    return outcome;
  };
  return {
    ask: async (name, input, describe) => {
      const outcome = await call(name, input);
      if (!outcome.ok) throw new StoryFault(`${describeRequest(name)} was to succeed and answered ${describeError(outcome.error)}`);
      tell.answered('good', describe === undefined ? String(outcome.status) : `${outcome.status} ${describe(outcome.body)}`);
      return outcome.body;
    },
    askRefused: async (code, name, input) => {
      const outcome = await call(name, input);
      if (outcome.ok || outcome.error.code !== code)
        throw new StoryFault(
          `${describeRequest(name)} was to be refused with ${code} and answered ${outcome.ok ? outcome.status : describeError(outcome.error)}`,
        );
      tell.answered('refused', `${outcome.error.status} ${code}: ${outcome.error.message}`);
      return outcome.error;
    },
  };
};
