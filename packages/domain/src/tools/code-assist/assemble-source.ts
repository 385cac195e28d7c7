import type { CodeEdit } from './read-edits.ts';
import type { GuardCall } from './source-tree.ts';
import { type LineChange, unifiedDiff } from './unified-diff.ts';

export type SourceChange = { readonly key: string; readonly line: number; readonly before: string; readonly after: string };
export type Assembled = { readonly source: string; readonly changes: readonly SourceChange[]; readonly patch: string };

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;

/** Whole lines that a call occupies, and how they read afterwards. */
const lineChange = (source: string, { start, end }: GuardCall['node'], replacement: string): LineChange => {
  const first = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const last = newline === -1 ? source.length : newline;
  const text = source.slice(first, start) + replacement + source.slice(end, last);
  return { at: lineAt(source, first) - 1, before: source.slice(first, last).split('\n'), after: text.split('\n') };
};

/** Replaces the old calls by new ones. Nothing else of the source can change. */
export const assembleSource = (file: string, source: string, calls: readonly GuardCall[], edits: readonly CodeEdit[]): Assembled => {
  const placed = calls
    .flatMap((call) => {
      const edit = edits.find(({ key }) => key === call.key);
      return edit ? [{ call, replacement: edit.replacement }] : [];
    })
    .sort((one, other) => one.call.node.start - other.call.node.start);
  let [text, at] = ['', 0];
  for (const { call, replacement } of placed) {
    text += source.slice(at, call.node.start) + replacement;
    at = call.node.end;
  }
  return {
    source: text + source.slice(at),
    changes: placed.map(({ call: { key, node }, replacement }) => ({
      key,
      line: lineAt(source, node.start),
      before: source.slice(node.start, node.end),
      after: replacement,
    })),
    patch: unifiedDiff(
      file,
      source,
      placed.map(({ call, replacement }) => lineChange(source, call.node, replacement)),
    ),
  };
};

const LINES_NEAR = 3;

/** Returns the one guard call with a key near a line; undefined if there is none, or several with the key. */
export const findRequested = (source: string, calls: readonly GuardCall[], key: string, line: number): GuardCall | undefined => {
  const [found, ...others] = calls.filter((call) => call.key === key);
  if (!found || others.length > 0) return undefined;
  const [from, to] = [lineAt(source, found.node.start), lineAt(source, found.node.end)];
  return line >= from - LINES_NEAR && line <= to + LINES_NEAR ? found : undefined;
};
