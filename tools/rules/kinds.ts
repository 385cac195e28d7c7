import type { Node } from 'oxc-parser';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding } from '../tree.ts';

/** The words of kinds that have a file each behind a registry, by the folder of these files. */
export type KindWords = Readonly<Record<string, readonly string[]>>;

const COMPARISONS: ReadonlySet<string> = new Set(['===', '!==', '==', '!=']);

const getWord = (node: Node | null): string => (node?.type === 'Literal' && typeof node.value === 'string' ? node.value : '');

const findFindings = (source: SourceFile, kinds: KindWords): RuleFinding[] => {
  const findings: RuleFinding[] = [];
  const compared = (node: Node | null, offset: number): void => {
    const word = getWord(node);
    const folders = Object.keys(kinds).filter((folder) => kinds[folder]?.includes(word));
    if (folders.length === 0 || folders.some((folder) => source.path.startsWith(`${folder}/`))) return;
    const says = `branches on the kind ${word}: read a member of the kind from the registry in ${folders.join(' or ')}`;
    findings.push({ path: source.path, line: source.lineAt(offset), says });
  };
  source.visit({
    BinaryExpression({ operator, left, right, start }) {
      if (COMPARISONS.has(operator)) for (const side of [left, right]) compared(side, start);
    },
    SwitchCase({ test, start }) {
      compared(test, start);
    },
  });
  return findings;
};

/** No file compares the word of a kind, except the files of the kinds: a new kind is one file and one line of its registry. */
export const getKindsStandAlone =
  (kinds: KindWords): ProjectRule =>
  ({ sources }) =>
    sources.filter(({ isTest }) => !isTest).flatMap((source) => findFindings(source, kinds));
