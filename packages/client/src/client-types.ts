import type { ServiceError } from './errors.ts';
import type { OperationTypes } from './operation-types.ts';
import type { OPERATIONS } from './operations.ts';

/** Name of an operation that has a client method. */
export type OperationName = keyof typeof OPERATIONS & keyof OperationTypes;
type OperationPlane<Name extends OperationName> = (typeof OPERATIONS)[Name]['plane'];
/** The operations of one plane. */
export type PlaneOperations<Plane extends 'control' | 'gateway'> = {
  [Name in OperationName]: OperationPlane<Name> extends Plane ? Name : never;
}[OperationName];

/** Options of every call. */
export type CallOptions = {
  /** Limits the call to one workspace of the caller's organization. */
  readonly workspaceId?: string;
  /** Limits the call to one environment of the caller's organization. */
  readonly environmentId?: string;
  /** Sent as `Idempotency-Key` where the operation accepts one. Default: a random key per call. */
  readonly idempotencyKey?: string;
  /** Aborts the call; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the call fails with `TIMED_OUT`, including retries. Default: the timeout of the client. */
  readonly timeoutMs?: number;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Content of a file, for operations whose request body is a file instead of JSON. */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | string;

type OperationWire<Name extends OperationName> = (typeof OPERATIONS)[Name] extends { readonly wire: infer Wire } ? Wire : 'json';
type OperationBody<Name extends OperationName> = OperationWire<Name> extends 'file' ? FileContent : OperationTypes[Name]['body'];

type ParamsInput<Params> = [keyof Params] extends [never] ? { readonly params?: never } : { readonly params: Params };
type QueryInput<Query> = Record<string, never> extends Query ? { readonly query?: Query } : { readonly query: Query };
type BodyInput<Body> = [undefined] extends [Body] ? { readonly body?: Exclude<Body, undefined> } : { readonly body: Body };

/** Input of one operation: its path parameters, query and body, if any, and the call options. */
export type OperationInput<Name extends OperationName> = ParamsInput<OperationTypes[Name]['params']> &
  QueryInput<OperationTypes[Name]['query']> &
  BodyInput<OperationBody<Name>> &
  CallOptions;

/** Arguments of an operation's method; optional if no input is required. */
export type OperationArguments<Name extends OperationName> =
  Record<string, never> extends OperationInput<Name> ? [input?: OperationInput<Name>] : [input: OperationInput<Name>];

/** One message of an event stream. `id` resumes the stream after it, as `Last-Event-ID`. */
export type StreamMessage<Data> = { readonly id: string; readonly event: string; readonly data: Data };

/** Result of a method: the JSON body, the messages of a stream, or the `Response` for a file or bytes. */
export type OperationResult<Name extends OperationName> =
  OperationWire<Name> extends 'stream'
    ? AsyncGenerator<StreamMessage<OperationTypes[Name]['result']>>
    : OperationWire<Name> extends 'bytes' | 'download'
      ? Response
      : OperationTypes[Name]['result'];

/** A response with its status and headers. An error response is returned as a value and is not thrown. */
export type CallOutcome<Result> =
  | { readonly ok: true; readonly status: number; readonly headers: Headers; readonly body: Result }
  | { readonly ok: false; readonly error: ServiceError };

type Methods<Names extends OperationName> = {
  readonly [Name in Names]: (...args: OperationArguments<Name>) => Promise<OperationResult<Name>>;
};

/** One method per operation. Methods resolve to the result and reject with a {@link ServiceError}. */
export type Client<Names extends OperationName> = Methods<Names> & {
  /** Calls an operation by name and returns status, headers and body. An error response is a value; rejects only when `signal` aborts. */
  readonly request: <Name extends Names>(name: Name, ...args: OperationArguments<Name>) => Promise<CallOutcome<OperationResult<Name>>>;
};

export type ControlClient = Client<PlaneOperations<'control'>>;
export type GatewayClient = Client<PlaneOperations<'gateway'>>;
