import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

export type HttpExchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** State of a connection in addition to its socket. */
export type ServerConnection = {
  readonly socket: Socket;
  /** Address group of the client, which one person cannot easily change. */
  readonly addressGroup: string;
  /** True if a credential was accepted on it. */
  isProven: boolean;
  /** Set on a connection beyond the limits: the response to its only request. */
  refused: Refusal | undefined;
  /** The response that was begun last. */
  last: ServerResponse | undefined;
  /** Pipelined requests. */
  readonly pipelined: HttpExchange[];
  /** True while the end of a response is awaited before the next request begins. */
  isAdvancing: boolean;
  /** True if it sent more than is accepted: nothing more is read from it. */
  isOverrun: boolean;
  /** Increases with each request, across connections. */
  usedAt: number;
  /** State of the arriving body. */
  readonly body: ArrivingBody;
  /** Records the organization of an accepted credential. */
  noteProof: (organizationId: string) => void;
};

/** Reset for each request. */
export type ArrivingBody = {
  of: IncomingMessage | undefined;
  pieces: number;
  bytes: number;
  /** Remaining bytes that are read. */
  bytesLeft: number;
  /** True if no more of it is accepted, including its end. */
  isCut: boolean;
};

const CONNECTION = Symbol('connection');

type Marked = { [CONNECTION]?: ServerConnection };

/** Returns the connection; undefined if it is not counted, as for an injected request, or if a request is destroyed while it arrives. */
export const getConnection = (socket: Socket | null): ServerConnection | undefined => (socket as Marked | null)?.[CONNECTION];

let uses = 0;

/** Returns the next number in the order of use of all connections. */
export const takeNextUse = (): number => ++uses;

export const newConnection = (socket: Socket, addressGroup: string): ServerConnection => {
  const connection: ServerConnection = {
    socket,
    addressGroup,
    isProven: false,
    refused: undefined,
    last: undefined,
    pipelined: [],
    isAdvancing: false,
    isOverrun: false,
    usedAt: takeNextUse(),
    body: { of: undefined, pieces: 0, bytes: 0, bytesLeft: Number.POSITIVE_INFINITY, isCut: false },
    noteProof: () => undefined,
  };
  (socket as Marked)[CONNECTION] = connection;
  return connection;
};

/** True if no request awaits its response; an incomplete request does not count. */
export const isIdle = ({ last, pipelined }: ServerConnection): boolean =>
  pipelined.length === 0 && (last === undefined || last.writableFinished || last.destroyed);

/** True if more was pipelined than is accepted. */
export const isFull = ({ pipelined, isOverrun }: ServerConnection): boolean =>
  isOverrun || pipelined.length >= LIMITS.connections.pipelinedMax;

/**
 * True if the response to a complete request is being computed. A client that delays its request or leaves its response unread is waited
 * for, and is no work.
 */
export const isAtWork = (connection: ServerConnection): boolean =>
  !isIdle(connection) && connection.last !== undefined && connection.last.req.complete && !connection.last.writableEnded;
