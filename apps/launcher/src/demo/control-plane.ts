import { StoryFault } from '../faults/story-fault.ts';
import { abridge } from './abridge.ts';
import type { Narrator } from './narrator.ts';
import { type Answer, type Method, sendJson } from './send-json.ts';

export type WireError = {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

type Request<Result> = {
  readonly body?: object;
  /** What to tell of the answer besides its status. */
  readonly told?: (result: Result) => string;
};

/** The control plane as one person calls it; each call is told. */
export type ControlPlane = {
  /** The body of the answer. Anything but success ends the story. */
  readonly ask: <Result>(method: Method, path: string, request?: Request<Result>) => Promise<Result>;
  /** The refusal. Any other answer ends the story. */
  readonly askRefused: (code: string, method: Method, path: string, request?: { readonly body?: object }) => Promise<WireError>;
};

const errorIn = ({ json }: Answer): WireError | undefined => (json as { readonly error?: WireError }).error;

const describeAnswer = (answer: Answer): string => {
  const error = errorIn(answer);
  if (error === undefined) return String(answer.status);
  const details = error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`;
  return `${answer.status} ${error.code}: ${error.message} (${error.request_id})${details}`;
};

/** Calls in the name of `who`, with their session's token once they have one. */
export const connectControlPlane = (url: string, tell: Narrator, who: string, token?: string): ControlPlane => {
  const call = async (method: Method, path: string, body?: object): Promise<Answer> => {
    tell.asks(who, body === undefined ? `${method} ${path}` : `${method} ${path} ${abridge(body)}`);
    return sendJson(`${url}${path}`, method, token, body);
  };
  return {
    ask: async <Result>(method: Method, path: string, { body, told }: Request<Result> = {}) => {
      const answer = await call(method, path, body);
      if (answer.status >= 300) throw new StoryFault(`${method} ${path} was to succeed and answered ${describeAnswer(answer)}`);
      const result = answer.json as Result;
      tell.answered('good', told === undefined ? String(answer.status) : `${answer.status} ${told(result)}`);
      return result;
    },
    askRefused: async (code, method, path, { body } = {}) => {
      const answer = await call(method, path, body);
      const error = errorIn(answer);
      if (error?.code !== code)
        throw new StoryFault(`${method} ${path} was to be refused with ${code} and answered ${describeAnswer(answer)}`);
      tell.answered('refused', `${answer.status} ${error.code}: ${error.message}`);
      return error;
    },
  };
};
