/** A pointer into an answer, written and read. */
export type Place = { readonly pointer: string; readonly tokens: readonly string[] };

/** What an answer has to be, read once. Plain values: two calls on the same terms are the same as JSON. */
export type Expectations = {
  /** Statuses such as 404, or classes of them such as 2xx. */
  readonly success: readonly string[];
  /** Taken out of `success`. */
  readonly failure: readonly string[];
  /** Whether the tool says so itself. */
  readonly saysStatuses: boolean;
  readonly content_types: readonly string[] | null;
  readonly bytes_max: number | null;
  readonly conditions: readonly (Place & { readonly equals?: string | number | boolean | null })[];
  readonly keep: readonly Place[] | null;
};

export type RetryPlan = {
  /** The first included. */
  readonly tries_max: number;
  readonly statuses: readonly string[];
  readonly network_errors: boolean;
  readonly backoff_ms: number;
  readonly try_timeout_ms: number | null;
};

/** On which terms a tool's calls are made and read. Header names are in small letters. */
export type CallTerms = {
  readonly expects: Expectations | null;
  /** Only of a tool that may be repeated. */
  readonly retries: RetryPlan | null;
  /** Where the key of the action goes. */
  readonly key_header: string | null;
  /** Where the id of the action goes. */
  readonly decision_header: string | null;
  /** For all tries together; the service's own bound where it is null. */
  readonly timeout_ms: number | null;
};
