import type { CredentialSecrets, SecretPlaces } from '@svc/domain/credentials/place-secret.ts';
import type { DestinationBlock } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import type { AllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import type { KeptBody } from '@svc/domain/tools/terms/judge-answer.ts';
import type { AllowingSetting } from './explain-to-people.ts';
import type { OnEvent } from './server-event.ts';

/** The secrets that are sent. `hidden` are others that are masked in the response too, such as the previous ones. */
export type OpenedSecret = CredentialSecrets & { readonly hidden: readonly string[] };

/** Credential used to authenticate an outbound call. Decrypted when the call is sent, and never cached. */
export type EgressCredential = SecretPlaces & {
  /** Its allowed destinations; it is added to no other request. */
  readonly destinations: readonly AllowlistEntry[];
  /** Undefined if it cannot be decrypted; then nothing is sent. */
  readonly open: () => OpenedSecret | undefined;
};

/** One outbound HTTP call. Headers of the connection (host, content-length and the like) cannot be set by the caller. */
export type EgressRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout for waiting, name resolution, connection, headers and body together; by default the client's own bound. */
  readonly timeoutMs?: number;
  /** The tenant of the call: connections, names and bytes are bounded per tenant. */
  readonly tenant: string;
  /**
   * Called for a call that had to wait, once its connection is open and before anything is sent. The call is sent only if it resolves to
   * true.
   * Never called for a call that did not wait.
   */
  readonly mayLeave?: () => Promise<boolean>;
  /** Destinations that the organization blocks, if the caller has read them; otherwise the client reads them. */
  readonly blocks?: readonly DestinationBlock[];
  /** Aborts the call, for example when the caller disconnected. */
  readonly signal?: AbortSignal;
  /** Receives the events of an event-stream response; without it such a response is read as text. See OnEvent. */
  readonly onEvent?: OnEvent;
  /** Called right before the first byte of the request is written to a connection, once per connection. */
  readonly onSend?: () => void;
  /**
   * Key of kept connections: a later call of the same tenant and key to the same host and addresses may reuse the connection.
   * Without it each call has a connection of its own.
   */
  readonly keepFor?: string;
  /** Paths to mask in the JSON of a large response. */
  readonly masks?: readonly string[];
  /** Maximum size of the response: a longer one is not read to its end. The client's own bound applies if it is smaller. */
  readonly responseBytesMax?: number;
  /** The parts of a large response to keep, and what in it indicates a failure. */
  readonly expects?: Expectations | null;
  /** True if the request already contains a secret: it then requires TLS, like one with a credential. */
  readonly isConfidential?: boolean;
  /** Added to the request within this client, and masked in the response. */
  readonly credential?: EgressCredential;
};

/** A response body as JSON text in UTF-8. `release` returns its capacity, and may be called more than once. */
export type ReleasableBody = { readonly json: Uint8Array; readonly release: () => void };

/**
 * The result of a call. Reasons are whole sentences for people; none names an address, an internal host or a system error.
 * `sent` is true if the request may have reached the peer: if it is false nothing can have happened there.
 */
export type EgressResult =
  /** The peer responded, redirects and errors included. `bodyJson` is set if the response is JSON that a record can store. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly bodyJson?: unknown;
      readonly bytes: number;
      /** Set instead of `body` if responses are returned as bytes. */
      readonly raw?: Uint8Array;
      readonly duration_ms: number;
    }
  /** The same with a response of `bytes` bytes, too large to be read here. Without `large`, `untold` gives the reason. */
  | {
      readonly kind: 'answered_large';
      readonly status: number;
      readonly contentType?: string | undefined;
      readonly bytes: number;
      readonly duration_ms: number;
      readonly large?: ReleasableBody;
      /** `MASKED`: masks apply that cannot be applied to it. */
      readonly untold?: 'MASKED' | 'TOO_LARGE' | 'UNREADABLE';
      /** The kept parts, if any were requested. */
      readonly read?: Omit<KeptBody, 'value'>;
    }
  /** The required secret could not be obtained. Nothing was sent. */
  | { readonly kind: 'no_credential'; readonly reason: string }
  /** Outbound calls are switched off. */
  | { readonly kind: 'disabled'; readonly reason: string }
  /** The request is invalid for sending. Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: string; readonly setting?: AllowingSetting }
  /**
   * Nothing was sent, since the destination is unknown, unreachable or must not be called (`forbidden`). Only people of the organization
   * learn which.
   */
  | { readonly kind: 'unreachable'; readonly detail: string; readonly forbidden?: true; readonly setting?: AllowingSetting }
  /** The call timed out. */
  | { readonly kind: 'timeout'; readonly duration_ms: number }
  /**
   * `busy` if nothing was sent for lack of capacity: of the tenant's own share, or of the whole service (also while it shuts down).
   * `status` if the peer had begun to respond; `stale` if it closed a kept connection, and had not; `tooLarge` if its response exceeds
   * `responseBytesMax`.
   */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly sent: boolean;
      readonly busy?: 'tenant' | 'service';
      readonly status?: number;
      readonly stale?: true;
      readonly tooLarge?: true;
    };
