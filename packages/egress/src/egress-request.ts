/** One HTTP call to the outside. Headers that belong to the connection (host, content-length and their like) are not the caller's to set. */
export type EgressRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For name resolution, connection, headers and body together; the client's own bound when absent. */
  readonly timeoutMs?: number;
};

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
      readonly duration_ms: number;
    }
  /** Calls to the outside are switched off. */
  | { readonly kind: 'disabled'; readonly reason: string }
  /** The address or the request is not one that may be used. Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'timeout'; readonly duration_ms: number; readonly sent: boolean }
  /** `status` when the peer had begun to answer. */
  | { readonly kind: 'failed'; readonly reason: string; readonly sent: boolean; readonly status?: number };
