/** A pointer into an answer, written and read. */
export type CallPosition = { readonly pointer: string; readonly tokens: readonly string[] };

/** The expectations of a response, parsed once. Plain values: two calls with the same terms are equal as JSON. */
export type Expectations = {
  /** Statuses such as 404, or classes of them such as 2xx. */
  readonly success: readonly string[];
  /** Taken out of `success`. */
  readonly failure: readonly string[];
  /** True if the tool declares statuses itself. */
  readonly saysStatuses: boolean;
  readonly content_types: readonly string[] | null;
  readonly bytes_max: number | null;
  readonly conditions: readonly (CallPosition & { readonly equals?: string | number | boolean | null })[];
  readonly keep: readonly CallPosition[] | null;
};

export type RetryPlan = {
  /** The first included. */
  readonly tries_max: number;
  readonly statuses: readonly string[];
  readonly network_errors: boolean;
  readonly backoff_ms: number;
  readonly try_timeout_ms: number | null;
};

/** The terms of a tool's calls and responses. Header names are in lower case. */
export type CallTerms = {
  readonly expects: Expectations | null;
  /** Only of a tool that may be repeated. */
  readonly retries: RetryPlan | null;
  /** Header for the action's idempotency key. */
  readonly key_header: string | null;
  /** Header for the id of the action. */
  readonly decision_header: string | null;
  /** Timeout of all attempts together; null for the service's own bound. */
  readonly timeout_ms: number | null;
};
