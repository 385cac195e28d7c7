import type { SourceFile } from '../source.ts';
import { countWords, findMarkers, isUnclearName } from './markers.ts';
import { readSentences } from './read-sentences.ts';

/** Words and markers of one area. */
type Count = { readonly words: number; readonly markers: number };

/** Counts by area: packages/<name>, apps/<name>, or the top folder. */
export type MarkerCounts = Readonly<Record<string, Count>>;

export type MarkerKind = 'sentences' | 'comments' | 'names';

type Text = { readonly area: string; readonly text: string };

const sum = (texts: readonly Text[], measure: (text: string) => Count): MarkerCounts => {
  const counts = new Map<string, Count>();
  for (const { area, text } of texts) {
    const { words, markers } = counts.get(area) ?? { words: 0, markers: 0 };
    const more = measure(text);
    counts.set(area, { words: words + more.words, markers: markers + more.markers });
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const measureProse = (text: string): Count => ({ words: countWords(text), markers: findMarkers(text).length });
const measureName = (name: string): Count => ({ words: 1, markers: isUnclearName(name) ? 1 : 0 });

type Declared = { readonly id?: { readonly type: string; readonly name?: string } | null };

const listNames = (source: SourceFile): Text[] => {
  const found: Text[] = [];
  const add = ({ id }: Declared): void => {
    if (id?.type === 'Identifier' && id.name) found.push({ area: source.folder, text: id.name });
  };
  const declared = add as (node: unknown) => void;
  source.visit({
    VariableDeclarator: declared,
    FunctionDeclaration: declared,
    ClassDeclaration: declared,
    TSTypeAliasDeclaration: declared,
    TSInterfaceDeclaration: declared,
  });
  return found;
};

/** Counts the words and markers of all user-facing strings, comments and declared names. */
export const countMarkers = (sources: readonly SourceFile[]): Readonly<Record<MarkerKind, MarkerCounts>> => ({
  sentences: sum(readSentences(sources), measureProse),
  comments: sum(
    sources.flatMap(({ folder: area, comments }) => comments.map(({ text }) => ({ area, text }))),
    measureProse,
  ),
  names: sum(sources.flatMap(listNames), measureName),
});
