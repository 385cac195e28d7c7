import { countMarkers, type MarkerKind } from '../sentences/count-markers.ts';
import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

const recordedIn = 'tools/sentences/counts.json';

type Recorded = Readonly<Partial<Record<MarkerKind, Readonly<Record<string, number>>>>>;

/** The number of markers of unclear English may not rise in any area: in user-facing strings, comments and declared names. */
export const getPlainEnglish: ProjectRule = (tree) => {
  const recorded = JSON.parse(tree.text(recordedIn)) as Recorded;
  return Object.entries(countMarkers(tree.sources)).flatMap(([kind, areas]) =>
    Object.entries(areas).flatMap(([area, { markers }]): RuleFinding[] => {
      const allowed = recorded[kind as MarkerKind]?.[area] ?? 0;
      if (markers <= allowed) return [];
      const list = kind === 'sentences' ? `; npm run sentences -- --markers ${area} lists them` : '';
      return [{ path: area, says: `${markers} markers of unclear English in ${kind}, ${allowed} allowed; see CONTRIBUTING.md${list}` }];
    }),
  );
};

/** Returns the markers per 1,000 words of user-facing strings and of comments, in one line. */
export const describeEnglish = (tree: Tree): string => {
  const counts = countMarkers(tree.sources);
  const rate = (kind: MarkerKind): string => {
    const all = Object.values(counts[kind]);
    const sum = (member: 'words' | 'markers'): number => all.reduce((total, count) => total + count[member], 0);
    return ((sum('markers') / sum('words')) * 1_000).toFixed(1);
  };
  return `markers per 1,000 words: ${rate('sentences')} in user-facing strings, ${rate('comments')} in comments`;
};
