import type { Section } from './search-sections.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

const readText = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

const HEADING = /<h([234]) id="([^"]*)">(.*?)<\/h\1>/s;

/** Splits a rendered document at its headings. The part before the first heading has the address of the page. */
export const splitSections = (address: string, page: string, html: string): readonly Section[] =>
  html.split(/(?=<h[234] id=")/).map((part) => {
    const [whole = '', , anchor, heading = ''] = HEADING.exec(part) ?? [];
    return {
      address: anchor === undefined ? address : `${address}#${anchor}`,
      page,
      heading: anchor === undefined ? page : readText(heading),
      text: readText(part.replace(whole, '')),
    };
  });
