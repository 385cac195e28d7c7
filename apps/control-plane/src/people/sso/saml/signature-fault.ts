import { getChildren, getChildrenNamed, getOnlyChild, readAttribute } from './elements.ts';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const TRANSFORMS = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE];
const METHODS: ReadonlySet<string | undefined> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]);
const DIGESTS: ReadonlySet<string | undefined> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);
const PARTS: ReadonlySet<string> = new Set(['SignedInfo', 'SignatureValue', 'KeyInfo']);

const getAlgorithm = (element: Element | undefined): string | undefined => readAttribute(element, 'Algorithm');

/**
 * Returns why a signature is not of the accepted kind: over its whole parent element, with SHA-2, exclusive canonicalization without
 * comments.
 */
export const findSignatureFault = (signature: Element): string | undefined => {
  const signed = signature.parentNode as Element;
  if (getChildren(signature).some(({ localName }) => !PARTS.has(localName))) return 'a signature contains an unexpected element';
  const info = getOnlyChild(signature, 'signature', 'SignedInfo');
  if (!info || !getOnlyChild(signature, 'signature', 'SignatureValue')) return 'a signature is not whole';
  if (getAlgorithm(getOnlyChild(info, 'signature', 'CanonicalizationMethod')) !== EXCLUSIVE) return 'canonicalised otherwise';
  if (!METHODS.has(getAlgorithm(getOnlyChild(info, 'signature', 'SignatureMethod')))) return 'signed by an algorithm that is not taken';
  const reference = getOnlyChild(info, 'signature', 'Reference');
  const id = readAttribute(signed, 'ID');
  if (!reference || id === undefined || readAttribute(reference, 'URI') !== `#${id}`)
    return 'a signature of something else than what it is in';
  if (!DIGESTS.has(getAlgorithm(getOnlyChild(reference, 'signature', 'DigestMethod')))) return 'a digest that is not taken';
  const transforms = getOnlyChild(reference, 'signature', 'Transforms');
  const named = transforms ? getChildrenNamed(transforms, 'signature', 'Transform').map(getAlgorithm) : [];
  return named.length === TRANSFORMS.length && TRANSFORMS.every((each, index) => named[index] === each)
    ? undefined
    : 'transforms that are not taken';
};
