import { removeHosts, removeLinks } from '@svc/policy/values/without-links.ts';
import type { MailPart, MailTemplate } from '../templates/mail-template.ts';
import { plainLine } from './plain-line.ts';

export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const FONT = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a';
const CODE = 'font-family:ui-monospace,monospace;font-size:32px;letter-spacing:6px;font-weight:bold';

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

type Values = Readonly<Record<string, string>>;

const getText = (part: MailPart<string>, values: Values, fill: (text: string) => string): string => {
  if (typeof part === 'string') return fill(part);
  return 'code' in part ? `    ${values[part.code]}` : `${part.says}:\n${values[part.link]}`;
};

const getHtml = (part: MailPart<string>, values: Values, fill: (text: string) => string): string => {
  if (typeof part === 'string') return `<p>${escapeHtml(fill(part))}</p>`;
  if ('code' in part) return `<p style="${CODE}">${escapeHtml(values[part.code] ?? '')}</p>`;
  const address = values[part.link] ?? '';
  // A value that is not a web address is shown and is not a link.
  if (!isWebAddress(address)) return `<p>${escapeHtml(`${part.says}: ${address}`)}</p>`;
  return `<p><a href="${escapeHtml(address)}">${escapeHtml(part.says)}</a></p><p>${escapeHtml(address)}</p>`;
};

/** Values that the service chooses itself: its address, and the codes and links it issues. */
const OWN: ReadonlySet<string> = new Set(['service', 'link', 'code']);
/** A sentence of the service that contains names: those of tools have dots and must stay copyable. */
const SENTENCE = 'what';

const shownValue = (name: string, given: string): string => {
  const line = plainLine(given);
  if (OWN.has(name)) return line;
  return name === SENTENCE ? removeLinks(line) : removeHosts(line);
};

/**
 * Renders the plain-text and HTML form of a mail. Values are single lines of text: they cannot add a line, header or element, and only the
 * service's own values become links.
 */
export const renderMail = (template: MailTemplate, given: Values): RenderedMail => {
  const values = Object.fromEntries(Object.keys(template.sample).map((name) => [name, shownValue(name, given[name] ?? '')]));
  // A single pass, so that a value that looks like a placeholder stays unchanged.
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const subject = fill(template.subject);
  const html = template.parts.map((part) => getHtml(part, values, fill)).join('\n');
  return {
    subject,
    text: `${template.parts.map((part) => getText(part, values, fill)).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="${FONT}">
${html}
</body></html>
`,
  };
};
