import { countText, getCount } from './count.ts';
import type { Chapter, Requirement } from './requirement.ts';

const standing = (requirement: Requirement): readonly [word: string, lines: readonly string[]] => {
  if ('unmet' in requirement) return ['NOT MET', [requirement.unmet]];
  if ('notApplicable' in requirement) return ['does not apply', [requirement.notApplicable]];
  return ['met', requirement.met.map((proof) => ('test' in proof ? `${proof.file}: ${proof.test}` : `${proof.file}, "${proof.heading}"`))];
};

const listLines = ([number, requirement]: readonly [string, Requirement]): string[] => {
  const [word, lines] = standing(requirement);
  return [
    `${number.padEnd(8)}L${requirement.level}  ${word.padEnd(16)}${requirement.says}`,
    ...lines.map((line) => `${' '.repeat(12)}${line}`),
  ];
};

/** Compares numerically: 6.2.9 comes before 6.2.10. */
const inOrder = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a.localeCompare(b, 'en', { numeric: true });

export const formatTable = (chapters: readonly Chapter[]): string =>
  chapters
    .map((chapter) => {
      const rows = Object.entries(chapter.requirements).sort(inOrder).flatMap(listLines);
      return [`${chapter.id} ${chapter.title}`, '', ...rows, '', countText(getCount([chapter])), ''].join('\n');
    })
    .join('\n');
