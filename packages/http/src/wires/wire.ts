import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How its row is read and answered; left out where a path is none. */
    wire?: Wire;
  }
}

/** Media types and the shape of errors, as the OpenAPI documents tell them. */
export type WireTold = {
  readonly body: string;
  readonly answer: string;
  readonly error: string;
  readonly errorSchema: Readonly<Record<string, unknown>>;
};

/** What an answer that goes on for long asks now and then: whether whoever gets it may still have it. */
export type StillAdmitted = () => Promise<boolean>;

/** How requests to a row are read and its answers written. What a request may cost is bounded by its row, and before any of this. */
export type Wire = {
  /** Media types of bodies, the one to tell first; what comes as another is refused unread. */
  readonly reads: readonly [string, ...string[]];
  /** Of a body in UTF-8; without it the body is JSON. */
  readonly decode?: (text: string) => { readonly body: unknown } | Refusal;
  /** Whether links lead here, so that a query nobody knows is no fault. */
  readonly takesAnyQuery?: true;
  /** Whether bodies are read by the handler, in pieces and when it has room for them. */
  readonly isUnread?: true;
  readonly answer: (reply: FastifyReply, status: number, result: unknown, still: StillAdmitted) => FastifyReply;
  readonly refuse: (reply: FastifyReply, refused: Refusal) => FastifyReply;
  readonly told: (row: Endpoint) => WireTold;
  /** Ends answers that would never end by themselves, as soon as their plane is asked to stop. */
  readonly drain?: () => void;
  /** Ends answers that would go on after their plane has stopped. */
  readonly close?: () => void;
};
