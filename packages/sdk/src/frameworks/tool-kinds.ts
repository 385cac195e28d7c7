import { isObject, isText, type WireMembers } from '../wire/read-members.ts';
import type { AnyFunction } from './answer-refusals.ts';

export type FrameworkToolKind = 'ai' | 'mastra' | 'langchain' | 'claude' | 'openai' | 'function';

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';
const isClass = (value: AnyFunction): boolean => /^class\b/.test(Function.prototype.toString.call(value));

const OF_OBJECT: readonly (readonly [FrameworkToolKind, (tool: WireMembers) => boolean])[] = [
  ['openai', ({ type, invoke }) => type === 'function' && isFunction(invoke)],
  [
    'langchain',
    ({ name, func, schema, lc_namespace }) => isText(name) && isFunction(func) && schema !== undefined && Array.isArray(lc_namespace),
  ],
  ['claude', ({ name, handler, inputSchema }) => isText(name) && isFunction(handler) && inputSchema !== undefined],
  ['mastra', ({ id, execute, inputSchema, type }) => isText(id) && isFunction(execute) && inputSchema !== undefined && type === undefined],
  ['ai', ({ execute, inputSchema, id, type }) => id === undefined && isFunction(execute) && inputSchema !== undefined && isLocal(type)],
];

/** The `ai` package marks tools that its provider executes. */
const isLocal = (type: unknown): boolean => type === undefined || type === 'function' || type === 'dynamic';

const describe = (tool: unknown): string => {
  if (typeof tool !== 'object' || tool === null) return typeof tool === 'function' ? 'a class' : typeof tool;
  const { type } = tool as WireMembers;
  return `${tool.constructor?.name ?? 'Object'}${isText(type) ? ` of type ${type}` : ''}`;
};

/** Recognizes a tool by its shape. Throws TypeError for a tool whose execution cannot be guarded, so that none passes unguarded. */
export const readToolKind = (tool: unknown, name: string): FrameworkToolKind => {
  if (isFunction(tool) && !isClass(tool)) return 'function';
  const [kind] = isObject(tool) ? (OF_OBJECT.find(([, isOfKind]) => isOfKind(tool)) ?? []) : [];
  if (kind !== undefined) return kind;
  throw new TypeError(
    `The tool ${name} (${describe(tool)}) cannot be guarded: this process does not execute it, or in a way that is not known. Guard its function.`,
  );
};
