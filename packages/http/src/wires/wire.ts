import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Wire of its row; undefined without a route. */
    wire?: Wire;
  }
}

/** Media types and error format, for the OpenAPI documents. */
export type WireResponse = {
  readonly body: string;
  readonly answer: string;
  readonly error: string;
  readonly errorSchema: Readonly<Record<string, unknown>>;
};

/** Called periodically by a long response: true if its reader still has access. */
export type StillAdmitted = () => Promise<boolean>;

/** How requests to a row are read and its responses written. The row limits the cost of a request before any of this. */
export type Wire = {
  /** Media types of bodies, the default first; others are refused unread. */
  readonly reads: readonly [string, ...string[]];
  /** Decodes a UTF-8 body; without it the body is JSON. */
  readonly decode?: (text: string) => { readonly body: unknown } | Refusal;
  /** True if unknown query parameters are ignored, because links lead here. */
  readonly takesAnyQuery?: true;
  /** True if the handler reads the body, in chunks and when it has capacity. */
  readonly isUnread?: true;
  readonly answer: (reply: FastifyReply, status: number, result: unknown, still: StillAdmitted) => FastifyReply;
  readonly refuse: (reply: FastifyReply, refused: Refusal) => FastifyReply;
  readonly told: (row: Endpoint) => WireResponse;
  /** Ends endless responses as soon as their plane is asked to stop. */
  readonly drain?: () => void;
  /** Ends responses that would continue after their plane has stopped. */
  readonly close?: () => void;
};
