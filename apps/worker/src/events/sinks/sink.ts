import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { Egress } from '@svc/egress/create-egress.ts';

/** An external destination that receives the events of all organizations. */
export type Sink = {
  /** Resolves when the destination has stored all of them in order. Throws otherwise; the same events are then redelivered. */
  readonly deliver: (events: readonly AuditEvent[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Dependencies of sinks. */
export type SinkDeps = {
  /** Calls the configured host, even while egress for agents is off. */
  readonly egress: Egress;
  readonly clock: () => Date;
};

/** A kind of sink, recognized by the protocol of its URL. */
export type SinkKind = {
  /** Protocols of URLs, such as `nats:`. */
  readonly protocols: readonly string[];
  /** An example for the operator, without secrets. */
  readonly example: string;
  /** Returns a sentence if the URL lacks something, without its secrets. */
  readonly fault: (url: URL) => string | undefined;
  readonly open: (url: URL, deps: SinkDeps) => Sink;
};

/** Returns the path of a URL without slashes at both ends. */
export const getPath = (url: URL): string => decodeURIComponent(url.pathname).split('/').filter(Boolean).join('/');
