/** A part of a page that begins with a heading. */
export type Section = {
  /** Address of the page with the anchor of the heading. */
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

/**
 * Returns the sections that contain every word of a query, best first: words in headings count more than words in texts. It uses nothing from
 * outside the function, because the static site carries its source.
 */
export const searchSections = (sections: readonly Section[], query: string, most: number): readonly Section[] => {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '')
    .slice(0, 8);
  if (words.length === 0) return [];
  const score = ({ page, heading, text }: Section): number => {
    const [title, head, body] = [page.toLowerCase(), heading.toLowerCase(), text.toLowerCase()];
    let sum = 0;
    for (const word of words) {
      const points = (head.includes(word) ? 10 : 0) + (title.includes(word) ? 6 : 0) + Math.min(3, body.split(word).length - 1);
      if (points === 0) return 0;
      sum += points;
    }
    return sum;
  };
  return sections
    .map((section) => ({ section, points: score(section) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, most)
    .map(({ section }) => section);
};
