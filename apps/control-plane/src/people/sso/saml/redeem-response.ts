import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findAssertionFault, parseSamlTime } from '@svc/domain/people/sso/assertion-fault.ts';
import { findXmlFault } from '@svc/domain/people/sso/xml-fault.ts';
import { readBase64 } from '@svc/keyring/bytes/canonical-base64.ts';
import { isCertificateValid } from '@svc/keyring/public-keys/provider-certificate.ts';
import { getAcsUrl, getEntityId } from '@svc/operations/people/sso/addresses.ts';
import { findSignedAssertion, type SamlClient } from './open-saml.ts';
import { readAssertion } from './read-assertion.ts';
import { toClaims } from './read-saml-claims.ts';
import { checkResponseShape } from './response-shape.ts';

/** Identity that the provider states; or that it refused, or that its response cannot be trusted. */
export type RedeemedResponse =
  | { readonly kind: 'proved'; readonly claims: ReturnType<typeof toClaims>; readonly assertionId: string; readonly ends: Date }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unbelievable'; readonly why: string };

type Answer = {
  readonly samlResponse: string | undefined;
  readonly baseUrl: string;
  readonly isOurRequest: (inResponseTo: string) => boolean;
  readonly now: Date;
};

const { sso } = LIMITS;
const BOUNDS = {
  elements: sso.samlElementsMax,
  attributes: sso.samlAttributesMax,
  namespaces: sso.samlNamespacesMax,
  depth: sso.samlDepthMax,
};
const SKEW_MS = sso.clockToleranceSeconds * 1_000;
const AGE_MS = sso.attemptSeconds * 1_000;

const unbelievable = (why: string): RedeemedResponse => ({ kind: 'unbelievable', why: `saml: ${why}` });

/** Decodes the XML of a form: one canonical base64 text of bounded UTF-8; line breaks in it are ignored. */
const toXml = (samlResponse: string | undefined): string | undefined => {
  const bytes = readBase64((samlResponse ?? '').replaceAll(/[\r\n]/g, ''));
  if (bytes === null || bytes.length === 0 || bytes.length > sso.samlBytesMax) return undefined;
  const xml = bytes.toString('utf8');
  return Buffer.from(xml, 'utf8').equals(bytes) ? xml : undefined;
};

/** Redeems a response: checks bounds first, then structure, then the signature, and reads claims from signed data only. */
export const redeemResponse = async (
  client: SamlClient,
  { samlResponse, baseUrl, isOurRequest, now }: Answer,
): Promise<RedeemedResponse> => {
  const xml = toXml(samlResponse);
  if (xml === undefined) return unbelievable('not the base64 of a response, or too large');
  const bad = findXmlFault(xml, BOUNDS);
  if (bad !== undefined) return unbelievable(bad);
  const shaped = checkResponseShape(xml);
  if ('isRefused' in shaped) return { kind: 'refused' };
  if ('fault' in shaped) return unbelievable(shaped.fault);
  const { destination, inResponseTo, issuer, assertionId } = shaped.outside;
  if (destination !== getAcsUrl(baseUrl, client.id)) return unbelievable('another destination');
  if (issuer !== undefined && issuer !== client.issuer) return unbelievable('another issuer');
  if (inResponseTo === undefined || !isOurRequest(inResponseTo)) return unbelievable('an answer to another request');
  // A certificate outside its validity period is not accepted.
  const certificates = client.certificates.filter((pem) => isCertificateValid(pem, now));
  if (certificates.length === 0) return unbelievable('no certificate of the connection is in force');
  const signed = await findSignedAssertion({ ...client, certificates }, baseUrl, xml);
  if (signed === undefined) return unbelievable('signed by no certificate of the connection');
  const read = readAssertion(signed);
  if (!read || read.id !== assertionId) return unbelievable('an assertion with a missing or unknown part');
  const expected = { issuer: client.issuer, entityId: getEntityId(baseUrl, client.id), acsUrl: getAcsUrl(baseUrl, client.id) };
  const fault = findAssertionFault(read.asserted, {
    ...expected,
    requestId: isOurRequest,
    now: now.getTime(),
    skewMs: SKEW_MS,
    ageMs: AGE_MS,
  });
  if (fault !== undefined) return unbelievable(fault);
  const ends = Math.max(parseSamlTime(read.asserted.notOnOrAfter), now.getTime() + AGE_MS) + SKEW_MS;
  return { kind: 'proved', claims: toClaims(read), assertionId, ends: new Date(Math.min(ends, now.getTime() + 86_400_000)) };
};
