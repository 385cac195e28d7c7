import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** What is known of a connection beside its socket. */
export type Connection = {
  readonly socket: Socket;
  /** Of whoever is at the other end, as far as one person cannot easily change it. */
  readonly addressGroup: string;
  /** Whether a credential was accepted on it. */
  isProven: boolean;
  /** Set on a connection beyond the bounds: the answer to its only request. */
  refused: Refusal | undefined;
  /** The answer that was begun last. */
  last: ServerResponse | undefined;
  /** Requests that were sent ahead of their turn. */
  readonly pipelined: Exchange[];
  /** Whether the end of an answer is waited for, to go on with the next of them. */
  isAdvancing: boolean;
  /** Whether it sent more than is taken: nothing more is read from it. */
  isOverrun: boolean;
  /** Larger the later something was asked on it. */
  usedAt: number;
  /** What arrived of the body that is arriving. */
  readonly body: ArrivingBody;
  /** Tells whose credential was accepted on it. */
  noteProof: (organizationId: string) => void;
};

/** Counted anew for each request. */
export type ArrivingBody = {
  of: IncomingMessage | undefined;
  pieces: number;
  bytes: number;
  /** So much more of it is read. */
  bytesLeft: number;
  /** Whether no more of it is taken, its end neither. */
  isCut: boolean;
};

const CONNECTION = Symbol('connection');

type Marked = { [CONNECTION]?: Connection };

/** Undefined where no connection is counted, as when a request is injected, and where a request is destroyed that still arrives. */
export const connectionOf = (socket: Socket | null): Connection | undefined => (socket as Marked | null)?.[CONNECTION];

let uses = 0;

/** The next in the order in which all connections of the process were used. */
export const nextUse = (): number => ++uses;

export const newConnection = (socket: Socket, addressGroup: string): Connection => {
  const connection: Connection = {
    socket,
    addressGroup,
    isProven: false,
    refused: undefined,
    last: undefined,
    pipelined: [],
    isAdvancing: false,
    isOverrun: false,
    usedAt: nextUse(),
    body: { of: undefined, pieces: 0, bytes: 0, bytesLeft: Number.POSITIVE_INFINITY, isCut: false },
    noteProof: () => undefined,
  };
  (socket as Marked)[CONNECTION] = connection;
  return connection;
};

/** Whether nothing that was asked on it is still to be answered; whoever is slow in asking asks nothing yet. */
export const isIdle = ({ last, pipelined }: Connection): boolean =>
  pipelined.length === 0 && (last === undefined || last.writableFinished || last.destroyed);

/** Whether more was sent ahead than is taken. */
export const isFull = ({ pipelined, isOverrun }: Connection): boolean => isOverrun || pipelined.length >= LIMITS.connections.pipelinedMax;

/**
 * Whether an answer to something that arrived whole is being worked out. Whoever holds back what it asks, or leaves its answer unread, is
 * waited for and no work of anybody's.
 */
export const isAtWork = (connection: Connection): boolean =>
  !isIdle(connection) && connection.last !== undefined && connection.last.req.complete && !connection.last.writableEnded;
