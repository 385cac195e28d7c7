import type { SecretPlaces, Secrets } from '@svc/domain/credentials/place-secret.ts';
import type { Block } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import type { AllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import type { ReadBody } from '@svc/domain/tools/terms/judge-answer.ts';
import type { AllowingSetting } from './explain-to-people.ts';
import type { OnEvent } from './server-event.ts';

/** The secrets that are sent. `hidden` are others that are masked in the response too, such as the previous ones. */
export type OpenedSecret = Secrets & { readonly hidden: readonly string[] };

/** What a call proves itself with. Opened when the call is on its way, and kept by nobody. */
export type EgressCredential = SecretPlaces & {
  /** Where it may go; nowhere else is it put on a request. */
  readonly destinations: readonly AllowlistEntry[];
  /** Undefined where it cannot be opened, and then nothing is sent. */
  readonly open: () => OpenedSecret | undefined;
};

/** One HTTP call to the outside. Headers that belong to the connection (host, content-length and their like) are not the caller's to set. */
export type EgressRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For waiting, name resolution, connection, headers and body together; the client's own bound when absent. */
  readonly timeoutMs?: number;
  /** For whom it is made: connections, names and bytes are shared out among these. */
  readonly tenant: string;
  /**
   * Asked of a call that had to wait, once its connection stands and before anything is sent. Unless it answers true nothing is. Never asked
   * of a call that is on its way at once.
   */
  readonly mayLeave?: () => Promise<boolean>;
  /** Destinations that the organization blocks, if the caller has read them; otherwise the client reads them. */
  readonly blocks?: readonly Block[];
  /** Breaks the call off, as when the caller is gone. */
  readonly signal?: AbortSignal;
  /** Gets the events of an answer that is an event stream; without it such an answer is text. See OnEvent. */
  readonly onEvent?: OnEvent;
  /** Called right before the first byte of the request is handed to a connection, once for each connection. */
  readonly onSend?: () => void;
  /**
   * For whom connections are kept open after a call: a later one of the same tenant and word to the same host and addresses may go over it.
   * Without it each call has a connection of its own.
   */
  readonly keepFor?: string;
  /** Paths to hide in the JSON of a large answer. */
  readonly masks?: readonly string[];
  /** Of the answer: a longer one is not read to its end. The client's own bound where that is smaller. */
  readonly responseBytesMax?: number;
  /** What parts of a large answer are kept, and what in it is a failure. */
  readonly expects?: Expectations | null;
  /** Whether the request holds a secret already: it goes over TLS then, as one with a credential does. */
  readonly isConfidential?: boolean;
  /** Put on the request within this client, and taken out of whatever comes back. */
  readonly credential?: EgressCredential;
};

/** A result that is held as the JSON text it is told as, in UTF-8. `release` gives back the room it takes, and may be called more than once. */
export type LargeResult = { readonly json: Uint8Array; readonly release: () => void };

/**
 * How a call went. Reasons are whole sentences for people; none names an address, a host of the inside or a system error.
 * `sent` says whether the request may have reached the peer: when it is false nothing can have happened there.
 */
export type EgressResult =
  /** The peer answered, redirects and errors included. `bodyJson` is there when the answer is JSON that a record can hold. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly bodyJson?: unknown;
      readonly bytes: number;
      /** Instead of `body`, where answers are told as bytes. */
      readonly raw?: Uint8Array;
      readonly duration_ms: number;
    }
  /** The same with an answer of `bytes` bytes, too large to be looked at here. Without `large`, `untold` says why. */
  | {
      readonly kind: 'answered_large';
      readonly status: number;
      readonly contentType?: string | undefined;
      readonly bytes: number;
      readonly duration_ms: number;
      readonly large?: LargeResult;
      /** `MASKED`: masks apply that cannot be laid on. */
      readonly untold?: 'MASKED' | 'TOO_LARGE' | 'UNREADABLE';
      /** What was kept of it, where parts of it were asked for. */
      readonly read?: Omit<ReadBody, 'value'>;
    }
  /** The secret that the call needs could not be had. Nothing was sent. */
  | { readonly kind: 'no_credential'; readonly reason: string }
  /** Calls to the outside are switched off. */
  | { readonly kind: 'disabled'; readonly reason: string }
  /** The request is not one that may be sent as it is. Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: string; readonly setting?: AllowingSetting }
  /** Nothing was sent, since the destination is unknown, closed or not to be called (`forbidden`). Which it is, is for people of the organization alone. */
  | { readonly kind: 'unreachable'; readonly detail: string; readonly forbidden?: true; readonly setting?: AllowingSetting }
  /** There was no answer in time. */
  | { readonly kind: 'timeout'; readonly duration_ms: number }
  /** `busy` when nothing was sent for lack of capacity: of the tenant's own share, or of the whole service (also while it shuts down). `status` when the peer had begun to answer; `stale` when it closed a connection that was kept open, and had not; `tooLarge` when it answers more than `responseBytesMax`. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly sent: boolean;
      readonly busy?: 'tenant' | 'service';
      readonly status?: number;
      readonly stale?: true;
      readonly tooLarge?: true;
    };
