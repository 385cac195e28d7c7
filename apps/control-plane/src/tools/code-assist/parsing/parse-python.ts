import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ParsedSource, SourceNode } from '@svc/domain/tools/code-assist/source-tree.ts';
import { Language, type Node, Parser } from 'web-tree-sitter';

const NESTED_MAX = 400;
const require = createRequire(import.meta.url);

const openParser = async (): Promise<Parser> => {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(require.resolve('tree-sitter-python/tree-sitter-python.wasm'))));
  return parser;
};

/** Nodes whose text is more than that of their parts. */
const WHOLE_TEXTS = new Set(['string', 'string_content']);

const convert = (node: Node, field: string, comments: string[], depth: number): SourceNode => {
  if (depth > NESTED_MAX) throw new RangeError('the source is nested too deeply');
  const children: SourceNode[] = [];
  for (let at = 0; at < node.childCount; at += 1) {
    const child = node.child(at);
    if (child === null) continue;
    if (child.type === 'comment') comments.push(child.text);
    else children.push(convert(child, node.fieldNameForChild(at) ?? '', comments, depth + 1));
  }
  const value = node.childCount === 0 || WHOLE_TEXTS.has(node.type) ? node.text : '';
  return { kind: node.type, field, value, start: node.startIndex, end: node.endIndex, children };
};

/** Parses Python. */
export const parsePython = async (source: string): Promise<ParsedSource | { readonly fault: string }> => {
  const parser = await openParser();
  const tree = parser.parse(source);
  if (tree === null || tree.rootNode.hasError) return { fault: 'The source is not valid.' };
  const comments: string[] = [];
  return { root: convert(tree.rootNode, '', comments, 0), comments };
};
