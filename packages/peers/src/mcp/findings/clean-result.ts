/** Removes from a tool's result what no client should get, and says so in the result. */
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isAllowedLink, isKnownContent, LINK_SCHEMES } from './result-content.ts';

type Members = Readonly<Record<string, unknown>>;

/** A result without what was removed. Each note is a sentence that also stands in the place of what is gone. */
export type CleanedResult<Result> = { readonly result: Result; readonly notes: readonly string[] };

/** `linkSchemes`: schemes of links that are passed on, https and http by default. */
export type CleaningTerms = { readonly linkSchemes?: readonly string[] };

const { contentBlocksMax } = LIMITS.mcp;
const DEPTH_MAX = 128;

const CONTROL = /(?![\t\n\r])\p{Cc}/u;
const ESCAPE = '\u001b';
const BELL = '\u0007';
const COMMAND_CHARS_MAX = 1_024;
/** The rest of a sequence that steers a terminal (ECMA-48). */
const SEQUENCE = /^\[?[0-9;:?<=>]{0,32}[@-~]/u;
const SHORT_SEQUENCES = /\u009b[0-9;:?<=>]{0,32}[@-~]/gu;

/** Returns what is shown of the text behind an escape character. Commands to a terminal, such as links, end with a bell or with `ESC \`. */
const afterEscape = (piece: string, next: string | undefined): string => {
  if (!piece.startsWith(']')) return piece.replace(SEQUENCE, '');
  const bell = piece.slice(0, COMMAND_CHARS_MAX).indexOf(BELL);
  if (bell !== -1) return piece.slice(bell + 1);
  return next?.startsWith('\\') && piece.length <= COMMAND_CHARS_MAX ? '' : piece.slice(1);
};

const dropControls = (text: string): string => {
  const [first = '', ...escaped] = text.split(ESCAPE);
  const shown = escaped.map((piece, index) => afterEscape(piece, escaped[index + 1]));
  return (first + shown.join('')).replace(SHORT_SEQUENCES, '').replace(/(?![\t\n\r])\p{Cc}/gu, '');
};

const LINK_TARGET = /\]\(\s{0,8}(?:javascript|vbscript|data|ui):(?:[^()\s]|\([^()\s]{0,256}\)){0,2048}/giu;

const cleanText = (text: string, note: (sentence: string) => void): string => {
  let cleaned = text;
  if (CONTROL.test(cleaned)) {
    note('Removed: control characters.');
    cleaned = dropControls(cleaned);
  }
  const linked = cleaned.replace(LINK_TARGET, '](removed');
  if (linked !== cleaned) note('Removed: links that run code.');
  return linked;
};

const cleanValue = (value: unknown, note: (sentence: string) => void, depth = 0): unknown => {
  if (typeof value === 'string') return cleanText(value, note);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) {
    note('Removed: values that are nested too deep.');
    return null;
  }
  if (Array.isArray(value)) return value.map((each) => cleanValue(each, note, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [cleanText(name, note), cleanValue(each, note, depth + 1)]));
};

const REMOVED_TYPE = 'Removed: content of an unknown type.';
const REMOVED_LINK = 'Removed: a link that is not allowed.';
const REMOVED_BLOCKS = `Removed: content behind the first ${contentBlocksMax} blocks.`;

const noteBlock = (text: string): Members => ({ type: 'text', text });

/**
 * Removes control characters other than tab and line ends, links outside of the allowed schemes, pages of the server (`ui://`) and content of
 * unknown types. Everything else stays as it is.
 */
export const cleanResult = <Result extends Members>(
  value: Result,
  { linkSchemes = LINK_SCHEMES }: CleaningTerms = {},
): CleanedResult<Result> => {
  const notes = new Set<string>();
  const note = (sentence: string): void => void notes.add(sentence);
  const replace = (sentence: string): Members => {
    note(sentence);
    return noteBlock(sentence);
  };
  const cleanBlock = (block: unknown): unknown => {
    if (!isKnownContent(block)) return replace(REMOVED_TYPE);
    if (!isAllowedLink(block, linkSchemes)) return replace(REMOVED_LINK);
    if (block.type !== 'image' && block.type !== 'audio') return cleanValue(block, note);
    const { data, ...rest } = block;
    return { ...(cleanValue(rest, note) as Members), data };
  };
  const { content, ...others } = value;
  const blocks = Array.isArray(content) ? content.slice(0, contentBlocksMax).map(cleanBlock) : undefined;
  if (Array.isArray(content) && content.length > contentBlocksMax) blocks?.push(replace(REMOVED_BLOCKS));
  const result = { ...(cleanValue(others, note) as Members), ...(blocks === undefined ? {} : { content: blocks }) };
  return { result: result as unknown as Result, notes: [...notes] };
};
