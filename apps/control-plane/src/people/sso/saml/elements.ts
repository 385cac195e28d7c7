import { DOMParser } from '@xmldom/xmldom';

export const NAMESPACES = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;
type Space = keyof typeof NAMESPACES;

const ELEMENT = 1;
const TEXT = 3;

const listNodes = (node: Node): readonly Node[] => Array.from(node.childNodes);
export const getChildren = (element: Element): readonly Element[] =>
  listNodes(element).filter((node): node is Element => node.nodeType === ELEMENT);

export const isNamed = (element: Element, space: Space, name: string): boolean =>
  element.namespaceURI === NAMESPACES[space] && element.localName === name;

export const getChildrenNamed = (element: Element, space: Space, name: string): readonly Element[] =>
  getChildren(element).filter((child) => isNamed(child, space, name));

/** Returns the only child of a name; undefined if there is none or more than one. */
export const getOnlyChild = (element: Element | undefined, space: Space, name: string): Element | undefined => {
  const found = element ? getChildrenNamed(element, space, name) : [];
  return found.length === 1 ? found[0] : undefined;
};

/** Returns an element and its descendants in document order. */
export const listDescendants = (element: Element): readonly Element[] => [element, ...getChildren(element).flatMap(listDescendants)];

/** Returns the text of an element with text only; undefined otherwise, so that no part of mixed content is read alone. */
export const getText = (element: Element | undefined): string | undefined => {
  const nodes = element ? listNodes(element) : [];
  if (nodes.length === 0 || nodes.some(({ nodeType }) => nodeType !== TEXT)) return undefined;
  return nodes.map(({ nodeValue }) => nodeValue ?? '').join('');
};

export const readAttribute = (element: Element | undefined, name: string): string | undefined =>
  element?.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;

/** Parses checked XML; undefined if the parser reports an error, including one that it could repair. */
export const parseXml = (xml: string): Element | undefined => {
  let isFaulty = false;
  const errorHandler = () => {
    isFaulty = true;
  };
  const document = new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml');
  return isFaulty || !document ? undefined : (document.documentElement ?? undefined);
};
