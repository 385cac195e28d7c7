/** Response of a request as it is counted and traced: words of closed lists, ids and codes. */
export type RequestTelemetry = {
  /** The name of its row; `other` without a row, such as documents and unknown paths. */
  readonly operation: string;
  readonly method: string;
  /** The path of its row, with the names of its parameters. */
  readonly route: string;
  readonly status: number;
  /** The code of its error, if it is one. */
  readonly code: string | null;
  readonly requestId: string;
  readonly organizationId: string | undefined;
  readonly agentId: string | undefined;
};
