import { finishProposal } from './judge/finish-proposal.ts';
import { type Document, isNotProposed, type NotProposed, type Proposed, type ReadDocument } from './proposal.ts';
import { isMembers } from './reading.ts';
import { readOpenApi } from './openapi/read-openapi.ts';
import { newResolve } from './schema/resolve-reference.ts';

/** More operations than these are not looked at. */
export const OPERATIONS_MAX = 2_000;

export type Found = {
  readonly format: string;
  readonly title: string;
  readonly version: string;
  /** One for each operation, made when it is asked for. */
  readonly proposals: () => Generator<Proposed | NotProposed, void>;
};

const readDocument = (document: Document): ReadDocument => {
  const { root } = document;
  if (typeof root.openapi === 'string') return readOpenApi(document);
  if (typeof root.swagger === 'string')
    return { fault: `Swagger ${root.swagger.slice(0, 20)} is not read: convert the document to OpenAPI 3, which its vendor likely publishes too.` };
  return { fault: 'It is no OpenAPI document (openapi), no Postman collection (info.schema) and no GraphQL schema (__schema, or text).' };
};

/** Looks through a document for operations that could be tools: each becomes a proposal, or is refused with the reason. */
export const proposeTools = (document: Document): Found | { readonly fault: string } => {
  if (!isMembers(document.root)) return { fault: 'The document is no object.' };
  const read = readDocument(document);
  if ('fault' in read) return read;
  const { operations, ...about } = read;
  if (operations.length === 0) return { fault: 'The document has no operations.' };
  if (operations.length > OPERATIONS_MAX)
    return { fault: `The document has ${operations.length} operations; at most ${OPERATIONS_MAX} are looked at. Send it in parts, each with a source of its own.` };
  const resolve = newResolve(document.root);
  return {
    ...about,
    *proposals() {
      for (const each of operations) yield isNotProposed(each) ? each : finishProposal(each, resolve, document.options);
    },
  };
};
