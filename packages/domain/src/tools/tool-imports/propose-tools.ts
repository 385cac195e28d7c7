import { LIMITS } from '@svc/contract/tables/limits.ts';
import {
  type ImportDocument,
  type ImportFormat,
  type ImportOptions,
  isNotProposed,
  type ParsedImport,
  type ProposedTool,
  type RejectedOperation,
} from './draft/proposal.ts';
import { isMembers } from './draft/reading.ts';
import { FORMATS } from './formats.ts';
import { readGraphqlText } from './graphql/read-graphql.ts';
import { finishProposal } from './judge/finish-proposal.ts';
import { newResolve } from './schema/resolve-reference.ts';

const { operationsMax } = LIMITS.toolImports;

export type ProposedTools = {
  readonly format: string;
  readonly title: string;
  readonly version: string;
  /** One per operation, created lazily. */
  readonly proposals: () => Generator<ProposedTool | RejectedOperation, void>;
};

const EACH: readonly ImportFormat[] = Object.values(FORMATS);

const readDocument = (document: ImportDocument): ParsedImport => {
  const format = EACH.find(({ isOf }) => isOf(document.root));
  if (format !== undefined) return format.read(document);
  const [last, ...others] = EACH.map(({ called }) => `no ${called}`).reverse();
  return { fault: `The document is both ${others.reverse().join(', ')} and ${last}.` };
};

/** A document as it was parsed: a value, or the text of a GraphQL schema. */
export type ParsedDocument = { readonly root: unknown } | { readonly graphql: string };

const readParsed = (parsed: ParsedDocument, options: ImportOptions): ParsedImport => {
  if ('graphql' in parsed) return readGraphqlText(parsed.graphql, options);
  return isMembers(parsed.root) ? readDocument({ root: parsed.root, options }) : { fault: 'The document must be an object.' };
};

/** Looks through a document for operations that could be tools: each becomes a proposal, or is refused with the reason. */
export const proposeTools = (parsed: ParsedDocument, options: ImportOptions): ProposedTools | { readonly fault: string } => {
  const read = readParsed(parsed, options);
  if ('fault' in read) return read;
  const { operations, root, ...about } = read;
  if (operations.length === 0) return { fault: 'The document has no operations.' };
  if (operations.length > operationsMax)
    return {
      fault: `The document has ${operations.length} operations; the maximum is ${operationsMax}. Split it, with a separate source for each part.`,
    };
  const resolve = newResolve(root ?? ('root' in parsed ? parsed.root : {}));
  return {
    ...about,
    *proposals() {
      for (const each of operations) yield isNotProposed(each) ? each : finishProposal(each, resolve, options);
    },
  };
};
