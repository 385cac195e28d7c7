import type { ServiceError } from './errors.ts';
import type { OperationTypes } from './operation-types.ts';
import type { OPERATIONS } from './operations.ts';

/** Name of an operation that the client has a method for. */
export type OperationName = keyof typeof OPERATIONS & keyof OperationTypes;
type PlaneOf<Name extends OperationName> = (typeof OPERATIONS)[Name]['plane'];
/** The operations of one plane. */
export type OperationsOf<Plane extends 'control' | 'gateway'> = {
  [Name in OperationName]: PlaneOf<Name> extends Plane ? Name : never;
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
  /** Milliseconds until the call fails with `TIMED_OUT`, retries included. Default: that of the client. */
  readonly timeoutMs?: number;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A file's content, for the operations that take one instead of JSON. */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | string;

type WireOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends { readonly wire: infer Wire } ? Wire : 'json';
type BodyOf<Name extends OperationName> = WireOf<Name> extends 'file' ? FileContent : OperationTypes[Name]['body'];

type ParamsInput<Params> = [keyof Params] extends [never] ? { readonly params?: never } : { readonly params: Params };
type QueryInput<Query> = Record<string, never> extends Query ? { readonly query?: Query } : { readonly query: Query };
type BodyInput<Body> = [undefined] extends [Body] ? { readonly body?: Exclude<Body, undefined> } : { readonly body: Body };

/** Input of one operation: path parameters, query and body, as far as it has them, and the options of every call. */
export type InputOf<Name extends OperationName> = ParamsInput<OperationTypes[Name]['params']> &
  QueryInput<OperationTypes[Name]['query']> &
  BodyInput<BodyOf<Name>> &
  CallOptions;

/** The arguments of an operation's method; none where nothing is required. */
export type ArgumentsOf<Name extends OperationName> =
  Record<string, never> extends InputOf<Name> ? [input?: InputOf<Name>] : [input: InputOf<Name>];

/** One message of an event stream. `id` resumes the stream after it, as `Last-Event-ID`. */
export type StreamMessage<Data> = { readonly id: string; readonly event: string; readonly data: Data };

/** Result of a method: the JSON body, a stream's messages, or the response itself where a file or bytes are answered. */
export type ResultOf<Name extends OperationName> =
  WireOf<Name> extends 'stream'
    ? AsyncGenerator<StreamMessage<OperationTypes[Name]['result']>>
    : WireOf<Name> extends 'bytes' | 'download'
      ? Response
      : OperationTypes[Name]['result'];

/** A response with its status and headers; a refusal is a value and not thrown. */
export type CallOutcome<Result> =
  | { readonly ok: true; readonly status: number; readonly headers: Headers; readonly body: Result }
  | { readonly ok: false; readonly error: ServiceError };

type Methods<Names extends OperationName> = {
  readonly [Name in Names]: (...args: ArgumentsOf<Name>) => Promise<ResultOf<Name>>;
};

/** One method per operation. Methods resolve to the result and reject with a {@link ServiceError}. */
export type Client<Names extends OperationName> = Methods<Names> & {
  /** The same with status and headers, and with a refusal as a value. Rejects only when `signal` aborts. */
  readonly request: <Name extends Names>(name: Name, ...args: ArgumentsOf<Name>) => Promise<CallOutcome<ResultOf<Name>>>;
};

export type ControlClient = Client<OperationsOf<'control'>>;
export type GatewayClient = Client<OperationsOf<'gateway'>>;
