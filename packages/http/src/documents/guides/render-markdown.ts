import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../wires/page/escape-html.ts';

/** Returns the address of a link's target; undefined if the target is not served. */
export type ResolveLink = (target: string) => string | undefined;

const HEADING_LEVEL_MAX = 4;

/** Creates the anchor of a heading like GitHub: lower case, without punctuation, hyphens instead of spaces. */
const createAnchor = (heading: string): string =>
  heading
    .replace(/[`*]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Returns the text of inline tokens without markup, for the anchor of a heading. */
const getPlainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? getPlainText(token.tokens) : 'text' in token ? String(token.text) : token.raw))
    .join('');

const createAnchorGenerator = (): ((heading: string) => string) => {
  const counts = new Map<string, number>();
  return (heading) => {
    const anchor = createAnchor(heading);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
};

const createRenderer = (resolveLink: ResolveLink): Marked => {
  const generateAnchor = createAnchorGenerator();
  return new Marked({
    gfm: true,
    renderer: {
      // The documents are trusted, but a page of this origin never contains raw HTML.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^\s*<!--/.test(text) ? '' : escapeHtml(text)),
      heading({ tokens, depth }: Tokens.Heading) {
        const level = Math.min(depth, HEADING_LEVEL_MAX);
        const inner = this.parser.parseInline(tokens);
        if (level === 1) return `<h1>${inner}</h1>\n`;
        const anchor = escapeHtml(generateAnchor(getPlainText(tokens)));
        // A heading that contains a link cannot be a link itself.
        const content = inner.includes('<a ') ? inner : `<a class="anchor" href="#${anchor}">${inner}</a>`;
        return `<h${level} id="${anchor}">${content}</h${level}>\n`;
      },
      code: ({ text, lang }: Tokens.Code) =>
        `<pre${lang === 'text' ? ' class="output"' : ''} tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`,
      codespan: ({ text }: Tokens.Codespan) => `<code>${escapeHtml(text)}</code>`,
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const address = resolveLink(href);
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image: ({ text }: Tokens.Image) => escapeHtml(text),
      table({ header, rows }: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const hasHeader = header.some(({ text }) => text !== '');
        const head = hasHeader ? `<thead><tr>${cells(header, 'th')}</tr></thead>` : '';
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
};

/** Renders a Markdown document as HTML. HTML in the document is escaped, comments are removed, and links without an address become text. */
export const renderMarkdown = (markdown: string, resolveLink: ResolveLink): string =>
  createRenderer(resolveLink).parse(markdown, { async: false });
