import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '@svc/contract/tables/limits.ts';

export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** What is known of a connection beside its socket. */
export type Connection = {
  readonly socket: Socket;
  /** Of whoever is at the other end, as far as one person cannot easily change it. */
  readonly addressGroup: string;
  /** Whether a credential was accepted on it. */
  isProven: boolean;
  /** The answer that was begun last. */
  last: ServerResponse | undefined;
  /** Requests that were sent ahead of their turn. */
  readonly pipelined: Exchange[];
  /** Whether the end of an answer is waited for, to go on with the next of them. */
  isAdvancing: boolean;
  /** Whether it sent more ahead than is taken: nothing more is read from it. */
  isOverrun: boolean;
};

const CONNECTION = Symbol('connection');

type Marked = { [CONNECTION]?: Connection };

/** Undefined where no connection is counted, as when a request is injected. */
export const connectionOf = (socket: Socket): Connection | undefined => (socket as Marked)[CONNECTION];

export const newConnection = (socket: Socket, addressGroup: string): Connection => {
  const connection: Connection = {
    socket,
    addressGroup,
    isProven: false,
    last: undefined,
    pipelined: [],
    isAdvancing: false,
    isOverrun: false,
  };
  (socket as Marked)[CONNECTION] = connection;
  return connection;
};

/** Whether nothing that was asked on it is still to be answered; whoever is slow in asking asks nothing yet. */
export const isIdle = ({ last, pipelined }: Connection): boolean =>
  pipelined.length === 0 && (last === undefined || last.writableFinished || last.destroyed);

/** Whether more was sent ahead than is taken. */
export const isFull = ({ pipelined, isOverrun }: Connection): boolean => isOverrun || pipelined.length >= LIMITS.connections.pipelinedMax;
