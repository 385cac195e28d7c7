import { getChildren, getChildrenNamed, getOnlyChild, getText, isNamed, listDescendants, parseXml, readAttribute } from './elements.ts';
import { findSignatureFault } from './signature-fault.ts';

/** Unsigned outer part of a response. No claim about a person is read from it, only from signed data. */
export type Outside = {
  readonly destination: string | undefined;
  readonly inResponseTo: string | undefined;
  /** Issuer of the response, if named. */
  readonly issuer: string | undefined;
  readonly assertionId: string;
};

export type Shaped = { readonly outside: Outside } | { readonly fault: string } | { readonly isRefused: true };

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const ID = /^[A-Za-z_][\w.-]{0,250}$/;
const PARTS: ReadonlySet<string> = new Set(['Issuer', 'Signature', 'Status', 'Assertion']);

/** Returns every value of any attribute that could be an id: a duplicate would make two elements with one name. */
const listIds = (elements: readonly Element[]): readonly string[] =>
  elements.flatMap((element) =>
    Array.from(element.attributes)
      .filter(({ localName, name }) => (localName ?? name).toLowerCase() === 'id')
      .map(({ value }) => value),
  );

/** Checks the positions of signatures: at most one each in the response and its assertion; the assertion requires one. */
const signaturesFault = (root: Element, assertion: Element, elements: readonly Element[]): string | undefined => {
  const signatures = elements.filter(({ localName }) => localName === 'Signature');
  if (!getOnlyChild(assertion, 'signature', 'Signature')) return 'the assertion is not signed';
  const isOutOfPlace = signatures.some(
    (each) => ![root, assertion].includes(each.parentNode as Element) || !isNamed(each, 'signature', 'Signature'),
  );
  if (isOutOfPlace || getChildrenNamed(root, 'signature', 'Signature').length > 1) return 'a signature out of its place';
  return signatures.map(findSignatureFault).find((fault) => fault !== undefined);
};

const getStatus = (root: Element): string | undefined =>
  readAttribute(getOnlyChild(getOnlyChild(root, 'protocol', 'Status'), 'protocol', 'StatusCode'), 'Value');

/**
 * Checks that a response has the only accepted structure: one assertion, directly inside, signed as a whole and in place. Everything that
 * signature wrapping needs (a second assertion, one elsewhere, a signature of another element, a duplicate id) is refused before any
 * signature is verified.
 */
export const checkResponseShape = (xml: string): Shaped => {
  const root = parseXml(xml);
  if (!root || !isNamed(root, 'protocol', 'Response') || readAttribute(root, 'Version') !== '2.0') return { fault: 'no response' };
  const elements = listDescendants(root);
  const assertions = elements.filter(({ localName }) => localName.toLowerCase().includes('assertion') && localName !== 'AssertionIDRef');
  const status = getStatus(root);
  if (assertions.length === 0 && status !== undefined && status !== SUCCESS) return { isRefused: true };
  if (status !== SUCCESS) return { fault: 'no success' };
  if (getChildren(root).some(({ localName }) => !PARTS.has(localName))) return { fault: 'the response contains an unexpected element' };
  const assertion = getOnlyChild(root, 'assertion', 'Assertion');
  if (!assertion || assertions.length !== 1) return { fault: 'not one assertion' };
  const ids = listIds(elements);
  const assertionId = readAttribute(assertion, 'ID') ?? '';
  if (new Set(ids).size !== ids.length || !ID.test(assertionId) || !ID.test(readAttribute(root, 'ID') ?? ''))
    return { fault: 'ids that are none' };
  const unsigned = signaturesFault(root, assertion, elements);
  if (unsigned !== undefined) return { fault: unsigned };
  const issuers = getChildrenNamed(root, 'assertion', 'Issuer');
  const issuer = getText(issuers[0]);
  if (issuers.length > 1 || (issuers.length === 1 && issuer === undefined)) return { fault: 'not one issuer' };
  return {
    outside: { destination: readAttribute(root, 'Destination'), inResponseTo: readAttribute(root, 'InResponseTo'), issuer, assertionId },
  };
};
