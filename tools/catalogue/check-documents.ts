import { serviceActions } from '@svc/catalogue/describe-application.ts';
import type { CatalogueEntry, ServiceAction } from '@svc/contract/tools/catalogue-entry.ts';
import type { Fault } from '@svc/domain/tools/fault.ts';
import { readText } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import type { VendorDocument } from './read-document.ts';
import { type FoundOperation, findOperation } from './read-operation.ts';

/** Runs of so many words are not copied from a document, which has a licence of its own. */
const SAME_WORDS = 8;

const readWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns a run of words that a text shares with a document; undefined if there is none. */
const copiedRun = (text: string, document: string): string | undefined => {
  const words = readWords(text);
  return words
    .map((_, at) => words.slice(at, at + SAME_WORDS))
    .filter(({ length }) => length === SAME_WORDS)
    .map((run) => run.join(' '))
    .find((run) => document.includes(` ${run} `));
};

const PLACEHOLDER = /\{[^{}]*\}/g;

const shapeOfPath = (path: string): string => path.replace(PLACEHOLDER, '{}').replace(/\/+$/, '');

const pathOfUrl = (url: string): string => url.replace(/^https:\/\/[^/]*/, '');

/** Query parameters in deep form: `filter[name]` is a part of `filter`. */
const isDeclared = (name: string, { parameters }: FoundOperation): boolean => {
  const declared = parameters.filter(({ in: position }) => position === 'query').map((each) => readText(each.name));
  return declared.includes(name) || declared.includes(`${name}[]`) || declared.includes(name.replace(/\[.*$/s, ''));
};

const operationFaults = (entry: CatalogueEntry, action: ServiceAction, document: VendorDocument, at: string): readonly Fault[] => {
  const { pointer } = action.source;
  const operation = document.root === undefined ? undefined : findOperation(document.root, pointer);
  if (operation === undefined) return [{ pointer: `${at}/source/pointer`, message: `${pointer} leads to no operation of the document` }];
  const ours = shapeOfPath(pathOfUrl(entry.api?.base_url ?? '') + action.path);
  const sent = action.parameters.filter((each) => each.in === 'query').map(({ name, sent_as }) => sent_as ?? name);
  return [
    ...(operation.method === action.method ? [] : [{ pointer: `${at}/method`, message: `is ${operation.method} in the document` }]),
    ...(ours.endsWith(shapeOfPath(operation.path)) ? [] : [{ pointer: `${at}/path`, message: `is ${operation.path} in the document` }]),
    ...sent
      .filter((name) => !isDeclared(name, operation))
      .map((name) => ({ pointer: `${at}/parameters`, message: `contain ${name}, which the document does not declare` })),
  ];
};

/** Finds `Query.issues` in the text of a GraphQL schema. */
const graphqlFaults = (action: ServiceAction, { text }: VendorDocument, at: string): readonly Fault[] => {
  const [type = '', field = ''] = action.source.pointer.split('.');
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(type) && /^[A-Za-z_][A-Za-z0-9_]*$/.test(field);
  const body = isName ? new RegExp(`^(?:extend )?type ${type}\\b[^{]*\\{(.*?)^\\}`, 'ms').exec(text)?.[1] : undefined;
  const isFound = body !== undefined && new RegExp(`^\\s*${field}\\s*[(:]`, 'm').test(body);
  return isFound ? [] : [{ pointer: `${at}/source/pointer`, message: `${action.source.pointer} leads to no field of the schema` }];
};

const copyFaults = (action: ServiceAction, normalized: string, at: string): readonly Fault[] =>
  (['name', 'summary', 'constraint'] as const).flatMap((member) => {
    const run = copiedRun(action[member] ?? '', normalized);
    return run === undefined ? [] : [{ pointer: `${at}/${member}`, message: `copies the document: "${run}"` }];
  });

export type DocumentCheck = { readonly faults: readonly Fault[]; readonly checked: number; readonly missing: readonly string[] };

/** Compares the actions of an entry with the available documents, by their hashes. */
export const checkDocuments = (entry: CatalogueEntry, documents: ReadonlyMap<string, VendorDocument>): DocumentCheck => {
  const found = new Map(entry.sources.map((source) => [source.id, documents.get(source.sha256)]));
  const normalized = new Map(
    [...found].map(([id, document]) => [id, document === undefined ? '' : ` ${readWords(document.text).join(' ')} `]),
  );
  const checked = serviceActions(entry).flatMap((action) => {
    const document = found.get(action.source.id);
    if (document === undefined) return [];
    const at = `/actions/${entry.actions.indexOf(action)}`;
    const isGraphql = entry.sources.some(({ id, kind }) => id === action.source.id && kind === 'GRAPHQL');
    const faults = isGraphql ? graphqlFaults(action, document, at) : operationFaults(entry, action, document, at);
    return [[...faults, ...copyFaults(action, normalized.get(action.source.id) ?? '', at)]];
  });
  const missing = entry.sources.filter(({ id }) => found.get(id) === undefined).map(({ path }) => path);
  return { faults: checked.flat(), checked: checked.length, missing };
};
