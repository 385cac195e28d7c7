import { createHash } from 'node:crypto';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { isObject } from '../../files/json-file.ts';

/** A tool as its server lists it. */
export type Definition = JsonObject & { readonly name: string };

export const isDefinition = (value: unknown): value is Definition => isObject(value) && typeof value.name === 'string';

const NAME_CHARS_MAX = 100;

/** The name of a tool at the gateway: the prefix and the name at the server, with `_` for characters that names of tools do not have. */
export const getDeclaredName = (prefix: string, name: string): string =>
  `${prefix}${name.replace(/[^A-Za-z0-9_.-]/g, '_')}`.slice(0, NAME_CHARS_MAX);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
};

/** The digest of everything in a definition that a model or a call depends on. */
export const getDefinitionPin = ({ name, title, description, inputSchema, outputSchema, annotations }: Definition): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted({ name, title, description, inputSchema, outputSchema, annotations })))
    .digest('hex');

const DESCRIPTION_CHARS_MAX = 3_900;
const PIN = /(?:^|\n)Definition: sha256:([0-9a-f]{64})$/;

/** The description that is registered: that of the server, and the pin of the definition that a person accepted. */
export const getPinnedDescription = (definition: Definition): string => {
  const { description } = definition;
  const words = typeof description === 'string' ? description.slice(0, DESCRIPTION_CHARS_MAX).toWellFormed() : '';
  return `${words}\n\nDefinition: sha256:${getDefinitionPin(definition)}`.trimStart();
};

/** The pin in the description of a registered tool; undefined for a tool that was registered by hand. */
export const readPin = (description: string): string | undefined => PIN.exec(description)?.[1];

/** Removes tools from the text of a list. The others stay byte for byte. */
export const keepTools = (line: string, isKept: (name: string) => boolean): string => {
  const root = parseTree(line);
  const tools = root && findNodeAtLocation(root, ['result', 'tools']);
  if (tools?.type !== 'array') return line;
  const texts = (tools.children ?? []).flatMap((child) => {
    const name: unknown = findNodeAtLocation(child, ['name'])?.value;
    return typeof name === 'string' && isKept(name) ? [line.slice(child.offset, child.offset + child.length)] : [];
  });
  if (texts.length === tools.children?.length) return line;
  return `${line.slice(0, tools.offset)}[${texts.join(',')}]${line.slice(tools.offset + tools.length)}`;
};
