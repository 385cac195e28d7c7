import type { ImportDocument, ImportFormat, ParsedImport, ProposalDraft, RejectedOperation } from '../draft/proposal.ts';
import { isMembers, readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { listUniqueKeys } from '../judge/keys.ts';
import type { Item } from './item.ts';
import { readRequest } from './read-request.ts';
import { readRawUrl } from './read-url.ts';
import type { Variables } from './variables.ts';

const DEPTH_MAX = 16;
const ITEMS_MAX = 10_000;
const SCHEMA = /collection\/v2\.[01]/;

/** The authentication of an item, or of its folder if it inherits that. */
const ownAuth = (own: unknown, inherited: unknown): unknown => (isMembers(own) && readText(own.type) !== 'inherit' ? own : inherited);

const findItems = (list: unknown, folders: readonly string[], auth: unknown, found: Item[]): void => {
  for (const each of readList(list).map(readMembers)) {
    if (found.length >= ITEMS_MAX) return;
    const name = toLine(each.name, 200);
    const { request } = each;
    if (Array.isArray(each.item)) {
      if (folders.length < DEPTH_MAX) findItems(each.item, [...folders, name], ownAuth(each.auth, auth), found);
    } else if (isMembers(request)) found.push({ name, folders, request, auth: ownAuth(request.auth, auth) });
    else if (typeof request === 'string') found.push({ name, folders, request: { method: 'GET', url: request }, auth });
  }
};

/** Reads a Postman collection of version 2.0 or 2.1. */
const readPostman = ({ root, options }: ImportDocument): ParsedImport => {
  const info = readMembers(root.info);
  if (!SCHEMA.test(readText(info.schema))) return { fault: 'The version of the Postman collection is not 2.0 or 2.1. Export it as v2.1.' };
  const found: Item[] = [];
  findItems(root.item, [], root.auth, found);
  const variables: Variables = new Map(
    readList(root.variable)
      .map(readMembers)
      .map((each) => [readText(each.key), readText(each.value)]),
  );
  const keys = listUniqueKeys(
    found.map(({ name, folders, request }) => ({
      written: name,
      otherwise:
        [...folders, name]
          .join(' ')
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '_')
          .slice(0, 60)
          .replace(/^_+|(?<!_)_+$/g, '') || 'request',
      place: [readText(request.method), ...folders, name, readRawUrl(request.url)].join(' '),
    })),
  );
  const operations: (ProposalDraft | RejectedOperation)[] = found.map((item, index) =>
    readRequest(item, keys[index] ?? { key: '', isTwin: true }, { variables, options }),
  );
  return { format: 'Postman collection', title: toLine(info.name, 200), version: toLine(info.version, 60), operations };
};

export const postman: ImportFormat = {
  called: 'Postman collection (info.schema)',
  isOf: ({ info, item }) => Array.isArray(item) && readText(readMembers(info).schema) !== '',
  read: readPostman,
};
