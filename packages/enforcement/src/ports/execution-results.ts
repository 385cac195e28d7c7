import type { ReadBody } from '@svc/domain/tools/terms/judge-answer.ts';

/** What an agent is told of a large answer, as JSON text in UTF-8, masks laid on. `release` gives back the room it takes. */
export type LargeResult = { readonly json: Uint8Array; readonly release: () => void };

/** `read`: parts of the body were kept already, and what is there is what was kept. */
type AnswerHead = {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly bytes: number;
  readonly duration_ms: number;
  readonly read?: Omit<ReadBody, 'value'>;
};

/**
 * `tries`: how often the call was made, where its tool allows more than once. `isUnsent`: no byte of any try was handed to a connection; absent
 * when that is not certain.
 */
export type HttpResult = { readonly tries?: number; readonly isUnsent?: true } & (
  | (AnswerHead & { readonly kind: 'answered'; readonly body: string; readonly bodyJson?: unknown })
  /** A result too large to be looked at; `untold` says why there is none. */
  | (AnswerHead & {
      readonly kind: 'answered_large';
      readonly large?: LargeResult;
      readonly untold?: 'MASKED' | 'TOO_LARGE' | 'UNREADABLE';
    })
  | { readonly kind: 'disabled'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing was sent. `detail` says why to people of the organization; an agent is not told, nor whether it was `forbidden`. */
  | { readonly kind: 'unreachable'; readonly detail: string; readonly forbidden?: true }
  | { readonly kind: 'timeout'; readonly duration_ms: number }
  /** The secret that the call needs could not be opened. Nothing was sent. */
  | { readonly kind: 'no_credential'; readonly reason: string }
  /** `busy`: not sent for lack of capacity of the organization's own share, or of the service. */
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
  /** The server refused the call, or answered what cannot be passed on. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly status?: number; readonly duration_ms: number }
  | Exclude<HttpResult, { kind: 'answered' | 'answered_large' }>
);

/** A call that broke off, of any kind. */
export type BrokenCall = Extract<HttpResult, { kind: 'failed' }>;
