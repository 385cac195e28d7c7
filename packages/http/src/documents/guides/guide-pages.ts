import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  GUIDE_NAMES,
  GUIDE_QUERY_CHARS,
  GUIDE_READERS,
  GUIDES,
  GUIDES_PATH,
  type GuideName,
  type GuideReader,
  getGuideFile,
  getGuidePath,
} from '@svc/contract/tables/guides.ts';
import { escapeHtml } from '../../wires/page/escape-html.ts';
import type { StaticPage } from '../../wires/page.ts';
import { memoizeFirst } from '../once.ts';
import { newTextPage } from '../text-page.ts';
import { renderMarkdown } from './render-markdown.ts';
import { type Section, searchSections } from './search-sections.ts';
import { splitSections } from './split-sections.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../../../..');

const NAME_BY_FILE: ReadonlyMap<string, GuideName> = new Map(GUIDE_NAMES.map((name) => [getGuideFile(name), name]));

/** Resolves links between documents to links between pages; files that are not served stay text. */
const newLinkResolver =
  (file: string) =>
  (target: string): string | undefined => {
    if (/^https?:\/\//.test(target)) return target;
    if (target.startsWith('#')) return target;
    const [relative = '', anchor] = target.split('#', 2);
    const name = NAME_BY_FILE.get(path.posix.join(path.posix.dirname(file), relative));
    if (name === undefined) return undefined;
    return anchor === undefined ? getGuidePath(name) : `${getGuidePath(name)}#${anchor}`;
  };

const renderGuide = (name: GuideName): string | undefined => {
  const file = getGuideFile(name);
  const source = path.join(PROJECT, file);
  return existsSync(source) ? renderMarkdown(readFileSync(source, 'utf8'), newLinkResolver(file)) : undefined;
};

const newGuidePage = (name: GuideName): StaticPage | undefined => {
  const html = renderGuide(name);
  return html === undefined ? undefined : newTextPage(GUIDES[name].title, html, '');
};

const PAGES = Object.fromEntries(GUIDE_NAMES.map((name) => [name, memoizeFirst(() => newGuidePage(name))])) as Readonly<
  Record<GuideName, () => StaticPage | undefined>
>;

const isGuideName = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);

/** Returns the page of a guide, rendered once; undefined if there is no such guide or its file is not installed. */
export const getGuidePage = (name: string): StaticPage | undefined => (isGuideName(name) ? PAGES[name]() : undefined);

const renderSection = (reader: GuideReader): string => {
  const items = GUIDE_NAMES.filter((name) => GUIDES[name].reader === reader).map(
    (name) => `<li><a href="${getGuidePath(name)}">${escapeHtml(GUIDES[name].title)}</a><br>${escapeHtml(GUIDES[name].summary)}</li>`,
  );
  return `<h2 id="${reader}"><a class="anchor" href="#${reader}">${GUIDE_READERS[reader]}</a></h2><ul>${items.join('\n')}</ul>`;
};

const FOUND_MAX_COUNT = 30;
const EXCERPT_CHARS = 160;

const readSections = memoizeFirst((): readonly Section[] =>
  GUIDE_NAMES.flatMap((name) => splitSections(getGuidePath(name), GUIDES[name].title, renderGuide(name) ?? '')),
);

const renderForm = (query: string): string =>
  `<form role="search" action="${GUIDES_PATH}"><input type="search" name="q" maxlength="${GUIDE_QUERY_CHARS}" value="${escapeHtml(query)}" aria-label="Search guides"><button>Search</button></form>`;

const renderFound = ({ address, page, heading, text }: Section): string =>
  `<li><a href="${escapeHtml(address)}">${escapeHtml(heading === page ? page : `${page}: ${heading}`)}</a><br>${escapeHtml(text.slice(0, EXCERPT_CHARS))}</li>`;

/** Returns the sections of guides that contain all words of a query. */
export const searchGuides = (query: string): StaticPage => {
  const found = searchSections(readSections(), query, FOUND_MAX_COUNT);
  const list = found.length === 0 ? '<p>No guide contains all of these words.</p>' : `<ul>${found.map(renderFound).join('\n')}</ul>`;
  return newTextPage('Search guides', `<h1>Search guides</h1>${renderForm(query)}${list}`, '', 'self');
};

/** Returns the index of all guides, by reader. */
export const guidesIndex = memoizeFirst(
  (): StaticPage =>
    newTextPage(
      'Guides',
      `<h1>Guides</h1>${renderForm('')}<p>Each guide can be read alone: it states what you get, what you need, the steps, and what to do when a step fails.</p>
${(Object.keys(GUIDE_READERS) as GuideReader[]).map(renderSection).join('\n')}`,
      '',
      'self',
    ),
);
