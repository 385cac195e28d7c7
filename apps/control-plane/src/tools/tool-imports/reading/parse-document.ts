import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

const { inflatedBytesMax, mergedKeysMax } = LIMITS.toolImports;

export type ParsedContent = { readonly root: unknown } | { readonly graphql: string } | { readonly fault: string };

const GZIP = [0x1f, 0x8b] as const;

const inflated = (bytes: Buffer): Buffer | { readonly fault: string } => {
  if (bytes[0] !== GZIP[0] || bytes[1] !== GZIP[1]) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: inflatedBytesMax });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ERR_BUFFER_TOO_LARGE')
      return { fault: `The document is larger than ${inflatedBytesMax / 1_048_576} MiB when it is unpacked.` };
    if (typeof code === 'string' && code.startsWith('Z_')) return { fault: 'The document is compressed and cannot be unpacked.' };
    throw error;
  }
};

const COMMENTS = /^(?:\s|#[^\n]*\n|"""[\s\S]{0,20000}?"""|"[^"\n]*")*/;
const DEFINITION = /^(?:extend\s+)?(?:schema|type|interface|union|enum|scalar|input|directive)\b\s*[@{A-Z_a-z]/;

/** True if the text is GraphQL SDL: it begins with one of its keywords after any comments. */
const isGraphql = (text: string): boolean => {
  const [before = ''] = COMMENTS.exec(text) ?? [];
  return DEFINITION.test(text.slice(before.length, before.length + 200)) && !/^(?:openapi|swagger)\s*:/m.test(text.slice(0, 2_000));
};

const getLine = (error: unknown): string => {
  const { mark } = (error ?? {}) as { readonly mark?: { readonly line?: unknown } };
  return typeof mark?.line === 'number' ? ` (line ${mark.line + 1})` : '';
};

/** Merge keys (`<<: *anchor`) are YAML 1.1, and widely used in YAML 1.2 documents. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

const parseYaml = (text: string): ParsedContent => {
  try {
    // Plain values only: no tag creates an instance of a class. An alias is the same object again, and only merged keys are copied.
    return { root: load(text, { schema: SCHEMA, maxTotalMergeKeys: mergedKeysMax }) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.message.includes('maxTotalMergeKeys')) return { fault: `The document merges more than ${mergedKeysMax} keys (<<).` };
    return { fault: `The document is not valid JSON or YAML${getLine(error)}.` };
  }
};

const parseJson = (text: string): ParsedContent => {
  try {
    return { root: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { fault: 'The document begins as JSON and cannot be read as such.' };
  }
};

/** Parses bytes as JSON, YAML or GraphQL SDL, gzipped or not. Its duration is unbounded: call it in a worker process. */
export const parseDocument = (bytes: Buffer): ParsedContent => {
  const unpacked = inflated(bytes);
  if ('fault' in unpacked) return unpacked;
  if (!isUtf8(unpacked)) return { fault: 'The document is not text in UTF-8.' };
  const text = unpacked.toString('utf8').replace(/^\uFEFF/, '');
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) return { fault: 'The document is empty.' };
  if (first === '{' || first === '[') return parseJson(text);
  return isGraphql(text) ? { graphql: text } : parseYaml(text);
};
