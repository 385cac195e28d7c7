import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isMembers } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';

const FILE_BYTES_MAX = 50_000_000;
const FILES_MAX = 10_000;

/** A document of a vendor. `root` is undefined for text that is no JSON or YAML object, such as a GraphQL schema. */
export type VendorDocument = {
  readonly path: string;
  readonly sha256: string;
  readonly text: string;
  readonly root: JsonObject | undefined;
};

/** A command cannot go on; the message is for the person who called it. */
export class CatalogueFailure extends Error {}

const parse = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : load(text, { schema: CORE_SCHEMA });
    return isMembers(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof YAMLException) return undefined;
    throw error;
  }
};

export const readText = (path: string): Buffer => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new CatalogueFailure(`${path} is no file.`);
  if (found.size > FILE_BYTES_MAX) throw new CatalogueFailure(`${path} is larger than ${FILE_BYTES_MAX} bytes.`);
  return readFileSync(path);
};

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Reads a document with the hash of its bytes. */
export const readDocument = (path: string): VendorDocument => {
  const bytes = readText(path);
  const text = bytes.toString('utf8');
  return { path, sha256: digest(bytes), text, root: parse(text) };
};

/** Reads the documents of a folder whose hashes are wanted, by hash. */
export const readDocuments = (folder: string, wanted: ReadonlySet<string>): ReadonlyMap<string, VendorDocument> => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new CatalogueFailure(`${folder} is no folder.`);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  if (files.length > FILES_MAX) throw new CatalogueFailure(`${folder} contains more than ${FILES_MAX} files.`);
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => statSync(path).size <= FILE_BYTES_MAX);
  const found = paths.filter((path) => wanted.has(digest(readFileSync(path))));
  return new Map(found.map(readDocument).map((document) => [document.sha256, document]));
};
