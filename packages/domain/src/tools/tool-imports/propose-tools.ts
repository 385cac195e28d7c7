import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Document, type ImportOptions, isNotProposed, type NotProposed, type Proposed, type ReadDocument } from './draft/proposal.ts';
import { isMembers, lineOf, type Members, membersOf, textOf } from './draft/reading.ts';
import { readGraphqlText, readIntrospection } from './graphql/read-graphql.ts';
import { finishProposal } from './judge/finish-proposal.ts';
import { readOpenApi } from './openapi/read-openapi.ts';
import { readPostman } from './postman/read-postman.ts';
import { newResolve } from './schema/resolve-reference.ts';

const { operationsMax } = LIMITS.toolImports;

export type Found = {
  readonly format: string;
  readonly title: string;
  readonly version: string;
  /** One for each operation, made when it is asked for. */
  readonly proposals: () => Generator<Proposed | NotProposed, void>;
};

const isPostman = ({ info, item }: Members): boolean => Array.isArray(item) && textOf(membersOf(info).schema) !== '';

const readDocument = (document: Document): ReadDocument => {
  const { root } = document;
  if (typeof root.openapi === 'string') return readOpenApi(document);
  if (typeof root.swagger === 'string')
    return {
      fault: `Swagger ${lineOf(root.swagger, 20)} is not read: convert the document to OpenAPI 3, which its vendor likely publishes too.`,
    };
  const introspection = isMembers(root.__schema) ? root : membersOf(root.data);
  if (isMembers(introspection.__schema)) return readIntrospection(introspection, document.options);
  if (isPostman(root)) return readPostman(document);
  return { fault: 'It is no OpenAPI document (openapi), no Postman collection (info.schema) and no GraphQL schema (__schema, or text).' };
};

/** A document as it was parsed: a value, or the text of a GraphQL schema. */
export type ParsedDocument = { readonly root: unknown } | { readonly graphql: string };

const readParsed = (parsed: ParsedDocument, options: ImportOptions): ReadDocument => {
  if ('graphql' in parsed) return readGraphqlText(parsed.graphql, options);
  return isMembers(parsed.root) ? readDocument({ root: parsed.root, options }) : { fault: 'The document is no object.' };
};

/** Looks through a document for operations that could be tools: each becomes a proposal, or is refused with the reason. */
export const proposeTools = (parsed: ParsedDocument, options: ImportOptions): Found | { readonly fault: string } => {
  const read = readParsed(parsed, options);
  if ('fault' in read) return read;
  const { operations, root, ...about } = read;
  if (operations.length === 0) return { fault: 'The document has no operations.' };
  if (operations.length > operationsMax)
    return {
      fault: `The document has ${operations.length} operations; at most ${operationsMax} are looked at. Send it in parts, each with a source of its own.`,
    };
  const resolve = newResolve(root ?? ('root' in parsed ? parsed.root : {}));
  return {
    ...about,
    *proposals() {
      for (const each of operations) yield isNotProposed(each) ? each : finishProposal(each, resolve, options);
    },
  };
};
