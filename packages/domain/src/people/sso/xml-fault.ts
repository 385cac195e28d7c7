export type XmlBounds = {
  readonly elements: number;
  readonly attributes: number;
  readonly namespaces: number;
  readonly depth: number;
};

const DECLARATION = /^<\?xml version=(["'])1\.0\1(?: encoding=(["'])utf-8\2)?(?: standalone=(["'])(?:yes|no)\3)?\s*\?>/i;
const TAG = /<(\/?)[^\s<>/"'=&]+((?:\s+[^\s<>/"'=&]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /=\s*["']/g;
const NAMESPACE = /\sxmlns[\s:=]/g;
const BAD_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;
const CONTROL = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/u;

const getCount = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/**
 * Returns why a text is not accepted as machine-written XML, in one pass before any parsing; undefined if it is.
 * Constructs that machines do not need are rejected, since parsers differ about them: document types, entities, comments, CDATA,
 * instructions.
 */
export const findXmlFault = (xml: string, bounds: XmlBounds): string | undefined => {
  if (CONTROL.test(xml)) return 'a control character';
  if (BAD_REFERENCE.test(xml)) return 'an entity';
  let [at, depth, elements, attributes, namespaces] = [DECLARATION.exec(xml)?.[0].length ?? 0, 0, 0, 0, 0];
  for (let next = xml.indexOf('<', at); next !== -1; next = xml.indexOf('<', at)) {
    if (depth === 0 && (elements > 0 ? xml[next + 1] !== '/' || xml.slice(at, next).trim() !== '' : xml.slice(at, next).trim() !== ''))
      return 'unexpected content outside the element';
    if (xml[next + 1] === '!' || xml[next + 1] === '?') return 'a document type, comment, CDATA section or instruction';
    TAG.lastIndex = next;
    const [whole, closes, within = '', isEmpty] = TAG.exec(xml) ?? [];
    if (whole === undefined || (closes && (within !== '' || isEmpty))) return 'a malformed tag';
    at = next + whole.length;
    if (closes) depth -= 1;
    else {
      elements += 1;
      attributes += getCount(within, ATTRIBUTE);
      namespaces += getCount(within, NAMESPACE);
      if (!isEmpty) depth += 1;
      if (depth > bounds.depth || elements > bounds.elements) return 'too many elements, or nested too deeply';
      if (attributes > bounds.attributes || namespaces > bounds.namespaces) return 'too many attributes or namespaces';
    }
    if (depth < 0) return 'an end tag without a start tag';
  }
  if (elements === 0 || depth !== 0 || xml.slice(at).trim() !== '') return 'an incomplete element';
  return undefined;
};
