import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { RiskRating } from '@svc/contract/tables/vocabulary.ts';
import type { GraphqlCall } from '@svc/contract/tools/call-terms.ts';
import type { ProposedDeclaration, WantedCredential } from '@svc/contract/tools/tool-imports.ts';

/** One parameter of an operation with its value, and its description in the document. */
export type DraftParameter = { readonly name: string; readonly schema: unknown; readonly required: boolean; readonly description: string };

/** An operation of a document on its way to a proposal. */
export type ProposalDraft = {
  /** The key within its source; the same in every version of the document. */
  readonly key: string;
  /** The name in its document, such as `GET /v1/charges`. */
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Set instead of a body: the check by which a response with errors is a failure at any status. */
  readonly graphql?: GraphqlCall;
  readonly parameters: readonly DraftParameter[];
  /** The group it belongs to, in one word. */
  readonly group: string;
  /** True if it only reads, when its method does not show that. */
  readonly reads: boolean;
  readonly words: readonly string[];
  /** Its own names, without those of its group: its name, its sentence, its path. */
  readonly called: readonly string[];
  readonly credentials: readonly WantedCredential[];
  /** Sentences about the omitted parts of the document. */
  readonly notes: readonly string[];
  readonly isDeprecated: boolean;
  /** The risk of a reviewed operation, instead of one estimated from words. */
  readonly judged?: Judged;
};

/** Why an operation cannot be a tool, in a sentence. */
export type RejectedOperation = { readonly key: string; readonly operation: string; readonly summary: string; readonly refused: string };

export type ProposedTool = {
  readonly key: string;
  readonly operation: string;
  readonly summary: string;
  readonly declaration: ProposedDeclaration;
  readonly credentials: readonly WantedCredential[];
  readonly risk_reasons: readonly string[];
  readonly notes: readonly string[];
};

export type Judged = { readonly rating: RiskRating; readonly dangerous: boolean; readonly reasons: readonly string[] };

/** Returns true if an operation was refused. */
export const isNotProposed = (value: object): value is RejectedOperation => 'refused' in value;

/** Options for the addresses and names of a document's tools. */
export type ImportOptions = {
  /** The first part of the names of its tools. */
  readonly source: string;
  /** The base address of its operations, instead of the document's. */
  readonly base_url?: string;
  /** The address the document was fetched from. */
  readonly address?: string;
};

export type ImportDocument = { readonly root: JsonObject; readonly options: ImportOptions };

/** A format that documents are written in [kind]. */
export type ImportFormat = {
  /** The name of such a document and its identifying member, for an error message. */
  readonly called: string;
  /** Returns true if a document claims to be of this format, even if it is invalid. */
  readonly isOf: (root: JsonObject) => boolean;
  readonly read: (document: ImportDocument) => ParsedImport;
};

/**
 * The contents of a document; `root` is the target of its references if that is not the document itself: its format, its name, and each
 * operation; or why it is invalid.
 */
export type ParsedImport =
  | {
      readonly format: string;
      readonly title: string;
      readonly version: string;
      readonly operations: readonly (ProposalDraft | RejectedOperation)[];
      readonly root?: JsonObject;
    }
  | { readonly fault: string };
