import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import { findOutOfBounds } from '../../tools/schema/json-bounds.ts';

type Members = Readonly<Record<string, unknown>>;

/** The result of an MCP tool call. The data is in `structuredContent`, and usually again as JSON in a text block. */
export type ToolResult = {
  readonly content: readonly Members[];
  readonly structuredContent?: Members | undefined;
  readonly isError?: boolean | undefined;
  /** Roles of the messages of a prompt. */
  readonly roles?: readonly string[] | undefined;
};

const WITHHELD = { type: 'text', text: 'Withheld: rules mask parts of this result, and they cannot be found in this block.' } as const;
/** Objects and arrays inside each other, as far as masks look. */
const DEPTH_MAX = 64;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const isMaskable = (value: unknown): boolean =>
  findOutOfBounds(value, { depthMax: DEPTH_MAX, bytesMax: Number.POSITIVE_INFINITY }) === undefined;

/** The object or list that a text is the JSON of; undefined for any other text. */
const parsed = (text: unknown): object | undefined => {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && isMaskable(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

type Masked<Value> = { readonly value: Value; readonly isMatched: boolean };

const mask = <Value>(value: Value, paths: readonly string[]): Masked<Value> => {
  const masked = maskPaths(value, paths);
  return { value: masked, isMatched: JSON.stringify(masked) !== JSON.stringify(value) };
};

/**
 * Returns the block with its JSON masked; undefined if its text is not JSON. Always re-serialized: of a duplicate member, the parser sees
 * one.
 */
const maskBlock = (block: Members, paths: readonly string[]): Masked<Members> | undefined => {
  if (block.type === 'text') {
    const json = parsed(block.text);
    const masked = json && mask(json, paths);
    return masked && { ...masked, value: { type: 'text', text: JSON.stringify(masked.value) } };
  }
  if (block.type !== 'resource' || !isMembers(block.resource)) return undefined;
  const { uri, mimeType, text } = block.resource;
  const json = parsed(text);
  const masked = json && mask(json, paths);
  return masked && { ...masked, value: { type: 'resource', resource: { uri, mimeType, text: JSON.stringify(masked.value) } } };
};

/**
 * Masks the paths in `structuredContent` and in every block with the same data as JSON. A block in which the paths cannot be
 * found, such as other text or an image, is withheld if a path matched elsewhere in the result, or if there is no `structuredContent`
 * that proves that none does. Other members than those of ToolResult are removed, since their contents are unknown.
 */
export const maskToolResult = (result: ToolResult, paths: readonly string[]): ToolResult => {
  if (paths.length === 0) return result;
  const { content, structuredContent, isError, roles } = result;
  const isReadable = structuredContent !== undefined && isMaskable(structuredContent);
  const structured = isReadable ? mask(structuredContent, paths) : undefined;
  const blocks = content.map((block) => [block, maskBlock(block, paths)] as const);
  const isMatched = [structured, ...blocks.map(([, masked]) => masked)].some((masked) => masked?.isMatched);
  const isShown = isReadable && !isMatched;
  return {
    content: blocks.map(([block, masked]) => masked?.value ?? (isShown ? block : WITHHELD)),
    ...(structured === undefined ? {} : { structuredContent: structured.value }),
    ...(isError === undefined ? {} : { isError }),
    ...(roles === undefined ? {} : { roles }),
  };
};
