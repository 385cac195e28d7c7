/** Reasons why a server could not be listed, each with what to do about it. */
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';

/** The credential that a server requires, as far as it states it. */
export type NeedsCredential = {
  readonly kind: 'NEEDS_CREDENTIAL';
  readonly explanation: string;
  /** The authorization server that issues tokens for it. */
  readonly issuer?: string;
  readonly scopes?: readonly string[];
  readonly resource?: string;
  readonly metadataUrl?: string;
};

export type ListingFailure =
  | NeedsCredential
  | {
      readonly kind: 'UNREACHABLE' | 'TIMEOUT' | 'TOO_LARGE' | 'PROTOCOL' | 'NOT_MCP' | 'SSE_TRANSPORT';
      readonly explanation: string;
    };

export type FailureKind = Exclude<ListingFailure['kind'], 'NEEDS_CREDENTIAL'>;

export const newFailure = (kind: FailureKind, explanation: string): ListingFailure => ({ kind, explanation });

export const isFailure = (value: { readonly kind?: string }): value is ListingFailure =>
  value.kind !== undefined &&
  ['NEEDS_CREDENTIAL', 'UNREACHABLE', 'TIMEOUT', 'TOO_LARGE', 'PROTOCOL', 'NOT_MCP', 'SSE_TRANSPORT'].includes(value.kind);

type Unanswered = Exclude<EgressResult, { kind: 'answered' | 'answered_large' }>;

const isSentence = (text: string): boolean => /[.!?]$/u.test(text);

const sentence = (text: string): string => (isSentence(text) ? text : `${text}.`);

/** Explains why a request got no answer. */
export const explainUnanswered = (result: Unanswered): ListingFailure => {
  switch (result.kind) {
    case 'timeout':
      return newFailure('TIMEOUT', 'The server did not answer in time. Check that it is running, then list its tools again.');
    case 'unreachable':
      return newFailure(
        'UNREACHABLE',
        result.forbidden === true
          ? `The address of the server is not public. An operator can allow its network with ${SETTINGS.egressAllowedCidrs}.`
          : `The server could not be reached: ${sentence(result.detail)} Check the address and that the server is running.`,
      );
    case 'no_credential':
      return {
        kind: 'NEEDS_CREDENTIAL',
        explanation: `${sentence(result.reason)} Check the credential of the server, then list its tools again.`,
      };
    case 'disabled':
    case 'refused':
      return newFailure('UNREACHABLE', `${sentence(result.reason)} Correct this, then list the tools again.`);
    case 'failed':
      if (result.tooLarge === true)
        return newFailure('TOO_LARGE', 'The server sent more than a listing may hold. Reduce the number or size of its tools.');
      return newFailure(
        result.status === undefined ? 'UNREACHABLE' : 'PROTOCOL',
        `${sentence(result.reason)} List the tools again; if that fails too, check the server's log.`,
      );
  }
};
