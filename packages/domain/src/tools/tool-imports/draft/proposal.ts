import type { RiskRating } from '@svc/contract/tables/vocabulary.ts';
import type { GraphqlCall } from '@svc/contract/tools/call-terms.ts';
import type { ProposedDeclaration, WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import type { Members } from './reading.ts';

/** What would be sent for one parameter of an operation, and how it is described where it comes from. */
export type DraftParameter = { readonly name: string; readonly schema: unknown; readonly required: boolean; readonly description: string };

/** An operation of a document on its way to a proposal. */
export type Draft = {
  /** What it is called within its source; the same in every version of the document. */
  readonly key: string;
  /** As its document names it, such as `GET /v1/charges`. */
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of a body: what makes an answer with errors a failure whatever its status. */
  readonly graphql?: GraphqlCall;
  readonly parameters: readonly DraftParameter[];
  /** What it belongs to, in one word. */
  readonly group: string;
  /** Whether it changes something, where its method does not tell. */
  readonly reads: boolean;
  readonly words: readonly string[];
  /** Of these what it is called itself, and not what it belongs to: its name, its sentence, its path. */
  readonly called: readonly string[];
  readonly credentials: readonly WantedCredential[];
  /** What of the document is left out, in sentences. */
  readonly notes: readonly string[];
  readonly isDeprecated: boolean;
  /** The risk of a reviewed operation, in place of one judged by words. */
  readonly judged?: Judged;
};

/** Why an operation cannot be a tool, in a sentence. */
export type NotProposed = { readonly key: string; readonly operation: string; readonly summary: string; readonly refused: string };

export type Proposed = {
  readonly key: string;
  readonly operation: string;
  readonly summary: string;
  readonly declaration: ProposedDeclaration;
  readonly credentials: readonly WantedCredential[];
  readonly risk_reasons: readonly string[];
  readonly notes: readonly string[];
};

export type Judged = { readonly rating: RiskRating; readonly dangerous: boolean; readonly reasons: readonly string[] };

/** Whether an operation was refused on the way. */
export const isNotProposed = (value: object): value is NotProposed => 'refused' in value;

/** What is said of where a document's tools are called and named. */
export type ImportOptions = {
  /** The first part of the names of its tools. */
  readonly source: string;
  /** Where its operations are called, instead of what the document says. */
  readonly base_url?: string;
  /** Where the document was fetched from. */
  readonly address?: string;
};

export type Document = { readonly root: Members; readonly options: ImportOptions };

/** A format that documents are written in [kind]. */
export type Format = {
  /** What a document of it is, and which member tells so, as people are told who send something else. */
  readonly called: string;
  /** Whether a document says of itself that it is of this format, whatever else is wrong with it. */
  readonly isOf: (root: Members) => boolean;
  readonly read: (document: Document) => ReadDocument;
};

/** What is found in a document, `root` being what its references are of where that is not the document itself: its format in words, what it calls itself, and each operation; or why it is none. */
export type ReadDocument =
  | {
      readonly format: string;
      readonly title: string;
      readonly version: string;
      readonly operations: readonly (Draft | NotProposed)[];
      readonly root?: Members;
    }
  | { readonly fault: string };
