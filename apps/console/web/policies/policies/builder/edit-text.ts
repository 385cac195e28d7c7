import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';

const INDENT = 2;
const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

export type Path = JSONPath;

const findNode = (text: string, path: Path): Node | undefined => {
  const tree = parseTree(text);
  return tree === undefined ? undefined : findNodeAtLocation(tree, path);
};

/** The white space at the beginning of the line that a place is in. */
const readIndent = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';

/** A value as JSON, its further lines indented like the line that it begins in. */
const formatJson = (value: unknown, indent: string): string => JSON.stringify(value, null, INDENT).replaceAll('\n', `\n${indent}`);

const splice = (text: string, start: number, end: number, put: string): string => `${text.slice(0, start)}${put}${text.slice(end)}`;

/** Adds an item or a member at the end of a list or an object, in a line of its own if the one before has one. */
const addLast = (text: string, parent: Node, name: string | undefined, value: unknown): string => {
  const last = parent.children?.at(-1);
  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  if (last === undefined) {
    const put = `${key}${formatJson(value, readIndent(text, parent.offset))}`;
    return splice(text, parent.offset + 1, parent.offset + parent.length - 1, parent.type === 'object' ? ` ${put} ` : put);
  }
  const indent = readIndent(text, last.offset);
  const isOwnLine = text.slice(0, last.offset).trimEnd().length < text.lastIndexOf('\n', last.offset - 1) + 1;
  const end = last.offset + last.length;
  return splice(text, end, end, `,${isOwnLine ? `\n${indent}` : ' '}${key}${formatJson(value, indent)}`);
};

/** Replaces the value at a path, or adds the member; undefined removes it. The rest of the text stays as it is written. */
export const replaceValue = (text: string, path: Path, value: unknown): string => {
  if (value === undefined) return applyEdits(text, modify(text, path, undefined, {}));
  const node = findNode(text, path);
  if (node !== undefined) return splice(text, node.offset, node.offset + node.length, formatJson(value, readIndent(text, node.offset)));
  const parent = findNode(text, path.slice(0, -1));
  return parent?.type === 'object' ? addLast(text, parent, String(path.at(-1)), value) : text;
};

/** Adds an item at the end of the list at a path. */
export const appendItem = (text: string, path: Path, value: unknown): string => {
  const list = findNode(text, path);
  return list?.type === 'array' ? addLast(text, list, undefined, value) : replaceValue(text, path, [value]);
};

export type Range = { readonly start: number; readonly end: number };

/** The range of the value at a path; undefined if the text has none there. */
export const findRange = (text: string, path: Path): Range | undefined => {
  const node = findNode(text, path);
  return node === undefined ? undefined : { start: node.offset, end: node.offset + node.length };
};

/** The text of the value at a path, as it is written. */
export const sliceText = (text: string, path: Path): string => {
  const range = findRange(text, path);
  return range === undefined ? '' : text.slice(range.start, range.end);
};

/** Swaps two items of the list at a path, each with the layout that it has. */
export const swapItems = (text: string, path: Path, index: number, other: number): string => {
  const [first, second] = [findRange(text, [...path, Math.min(index, other)]), findRange(text, [...path, Math.max(index, other)])];
  if (first === undefined || second === undefined) return text;
  const between = text.slice(first.end, second.start);
  return `${text.slice(0, first.start)}${text.slice(second.start, second.end)}${between}${text.slice(first.start, first.end)}${text.slice(second.end)}`;
};

/** The place at which a text is not JSON. Lines and columns count from one. */
export type TextFault = { readonly line: number; readonly column: number; readonly offset: number };

/** The first place at which the text is not JSON; undefined if it is. */
export const findFault = (text: string): TextFault | undefined => {
  const errors: ParseError[] = [];
  parse(text, errors, STRICT);
  const offset = errors[0]?.offset;
  if (offset === undefined) return undefined;
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset };
};

const isExact = ({ value }: Node): boolean => !Number.isInteger(value) || Number.isSafeInteger(value);

/** The reason that a value would be lost if it were written again: a repeated member or a number that JavaScript cannot hold. */
export const findInexact = (text: string, path: Path): string | undefined => {
  const search = (node: Node): string | undefined => {
    if (node.type === 'number') return isExact(node) ? undefined : 'it has a number that is too large';
    const names = node.type === 'object' ? (node.children ?? []).map(({ children }) => String(children?.[0]?.value)) : [];
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) return `it has the member "${repeated}" twice`;
    for (const child of node.children ?? []) {
      const found = search(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const node = findNode(text, path);
  return node === undefined ? undefined : search(node);
};
