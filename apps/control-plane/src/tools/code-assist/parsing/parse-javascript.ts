import type { ParsedSource, SourceNode } from '@svc/domain/tools/code-assist/source-tree.ts';
import { parseSync } from 'oxc-parser';

const NESTED_MAX = 400;
/** Positions, and values that are already in the text. */
const PASSED_OVER = new Set(['type', 'start', 'end', 'range', 'loc', 'parent']);

type EsNode = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number };

const isNode = (value: unknown): value is EsNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const EMPTY = (field: string): SourceNode => ({ kind: 'Empty', field, value: '', start: 0, end: 0, children: [] });

const convert = (node: EsNode, field: string, depth: number): SourceNode => {
  if (depth > NESTED_MAX) throw new RangeError('the source is nested too deeply');
  const members: Record<string, unknown> = {};
  const children: SourceNode[] = [];
  for (const [name, value] of Object.entries(node)) {
    if (PASSED_OVER.has(name)) continue;
    if (isNode(value)) children.push(convert(value, name, depth + 1));
    else if (Array.isArray(value)) for (const each of value) children.push(isNode(each) ? convert(each, name, depth + 1) : EMPTY(name));
    else members[name] = typeof value === 'bigint' || value instanceof RegExp ? String(value) : value;
  }
  return { kind: node.type, field, value: JSON.stringify(members), start: node.start, end: node.end, children };
};

/** Parses JavaScript or TypeScript. `name` decides which. */
export const parseJavascript = (name: string, source: string): ParsedSource | { readonly fault: string } => {
  const { program, comments, errors } = parseSync(name, source);
  if (errors.length > 0) return { fault: 'The source is not valid.' };
  return { root: convert(program as unknown as EsNode, '', 0), comments: comments.map(({ type, value }) => `${type} ${value}`) };
};
