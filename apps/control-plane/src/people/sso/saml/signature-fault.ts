import { attributeOf, childrenNamed, childrenOf, onlyChild } from './elements.ts';

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

const algorithmOf = (element: Element | undefined): string | undefined => attributeOf(element, 'Algorithm');

/**
 * Returns why a signature is not of the accepted kind: over its whole parent element, with SHA-2, exclusive canonicalization without
 * comments.
 */
export const signatureFault = (signature: Element): string | undefined => {
  const signed = signature.parentNode as Element;
  if (childrenOf(signature).some(({ localName }) => !PARTS.has(localName))) return 'a signature contains an unexpected element';
  const info = onlyChild(signature, 'signature', 'SignedInfo');
  if (!info || !onlyChild(signature, 'signature', 'SignatureValue')) return 'a signature is not whole';
  if (algorithmOf(onlyChild(info, 'signature', 'CanonicalizationMethod')) !== EXCLUSIVE) return 'canonicalised otherwise';
  if (!METHODS.has(algorithmOf(onlyChild(info, 'signature', 'SignatureMethod')))) return 'signed by an algorithm that is not taken';
  const reference = onlyChild(info, 'signature', 'Reference');
  const id = attributeOf(signed, 'ID');
  if (!reference || id === undefined || attributeOf(reference, 'URI') !== `#${id}`)
    return 'a signature of something else than what it is in';
  if (!DIGESTS.has(algorithmOf(onlyChild(reference, 'signature', 'DigestMethod')))) return 'a digest that is not taken';
  const transforms = onlyChild(reference, 'signature', 'Transforms');
  const named = transforms ? childrenNamed(transforms, 'signature', 'Transform').map(algorithmOf) : [];
  return named.length === TRANSFORMS.length && TRANSFORMS.every((each, index) => named[index] === each)
    ? undefined
    : 'transforms that are not taken';
};
