import type { KeptBody } from '@svc/domain/tools/terms/judge-answer.ts';

/** A large response for the agent as UTF-8 JSON, masked. `release` returns its capacity. */
export type LargeResult = { readonly json: Uint8Array; readonly release: () => void };

/** `read`: the stored parts of the body were already extracted, and these are they. */
type AnswerHead = {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly bytes: number;
  readonly duration_ms: number;
  readonly read?: Omit<KeptBody, 'value'>;
};

/**
 * `tries`: number of attempts, if the tool permits several. `isUnsent`: no byte of any attempt was passed to a connection; absent if that
 * is uncertain.
 */
export type HttpResult = { readonly tries?: number; readonly isUnsent?: true } & (
  | (AnswerHead & { readonly kind: 'answered'; readonly body: string; readonly bodyJson?: unknown })
  /** A result too large to examine; `untold` states why there is none. */
  | (AnswerHead & {
      readonly kind: 'answered_large';
      readonly large?: LargeResult;
      readonly untold?: 'MASKED' | 'TOO_LARGE' | 'UNREADABLE';
    })
  | { readonly kind: 'disabled'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }
  /**
   * Nothing was sent. `detail` states why for people of the organization; the agent does not see it, and cannot see whether it was
   * `forbidden`.
   */
  | { readonly kind: 'unreachable'; readonly detail: string; readonly forbidden?: true }
  | { readonly kind: 'timeout'; readonly duration_ms: number }
  /** The secret of the call could not be opened. Nothing was sent. */
  | { readonly kind: 'no_credential'; readonly reason: string }
  /** `busy`: not sent for lack of capacity, of the organization's share or of the service. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly sent: boolean;
      readonly busy?: 'tenant' | 'service';
      readonly status?: number;
      readonly tooLarge?: true;
    }
);

/** The result of a call of an MCP server or a remote agent. */
export type McpResult = { readonly isUnsent?: true } /** The server returned a result, of a failure of the tool if `isError`. */ & (
  | {
      readonly kind: 'returned';
      readonly result: Readonly<Record<string, unknown>>;
      readonly isError: boolean;
      readonly status: number;
      readonly bytes: number;
      readonly duration_ms: number;
    }
  /** The server refused the call, or sent a response that cannot be passed on. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly status?: number; readonly duration_ms: number }
  | Exclude<HttpResult, { kind: 'answered' | 'answered_large' }>
);

/** An interrupted call of any kind. */
export type BrokenCall = Extract<HttpResult, { kind: 'failed' }>;
