import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { createSelfSigned, type SelfSigned } from './self-signed.ts';

/** Content of a request that a browser brings to a provider. */
export type SamlRequest = { readonly id: string; readonly acsUrl: string; readonly spEntityId: string; readonly relayState: string };

/** Claims of a response; omitted members are valid. */
export type SamlClaims = {
  readonly nameId?: string;
  readonly nameIdFormat?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly recipient?: string;
  readonly destination?: string;
  readonly inResponseTo?: string;
  readonly assertionId?: string;
  readonly context?: string;
  /** Seconds from now. */
  readonly issuedAt?: number;
  readonly notBefore?: number;
  readonly notOnOrAfter?: number;
  readonly confirmedUntil?: number;
};

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const newSamlId = (): string => `_${randomBytes(16).toString('hex')}`;
const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

/** Reads the request in a redirect to the provider. */
export const readSamlRequest = (location: string): SamlRequest => {
  const { searchParams } = new URL(location);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const of = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    id: of(/\sID="([^"]+)"/),
    acsUrl: of(/AssertionConsumerServiceURL="([^"]+)"/),
    spEntityId: of(/<saml:Issuer[^>]*>([^<]+)</),
    relayState: searchParams.get('RelayState') ?? '',
  };
};

/** Returns the form that a browser posts. */
export const getSamlForm = ({ relayState }: SamlRequest, xml: string): string =>
  new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState }).toString();

export type Signing = {
  readonly method?: string;
  readonly digest?: string;
  readonly canonical?: string;
  readonly transforms?: readonly string[];
};

/** Signs one element by name, like a provider: enveloped, after its issuer. */
export const signElement = (xml: string, name: 'Assertion' | 'Response', by: SelfSigned, signing: Signing = {}): string => {
  const signer = new SignedXml({
    privateKey: by.privateKey,
    publicCert: by.certificate,
    signatureAlgorithm: signing.method ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: (signing.canonical ?? EXCLUSIVE) as typeof EXCLUSIVE,
  });
  const xpath = `//*[local-name(.)='${name}']`;
  signer.addReference({
    xpath,
    transforms: [...(signing.transforms ?? [ENVELOPED, EXCLUSIVE])],
    digestAlgorithm: signing.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signer.computeSignature(xml, { prefix: 'ds', location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } });
  return signer.getSignedXml();
};

const attributesXml = (attributes: NonNullable<SamlClaims['attributes']>): string => {
  const each = Object.entries(attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escaped(name)}">${values.map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  return each.length === 0 ? '' : `<saml:AttributeStatement>${each.join('')}</saml:AttributeStatement>`;
};

const assertionXml = (entityId: string, request: SamlRequest, claims: SamlClaims): string => {
  const { nameId = 'nobody', nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' } = claims;
  const until = at(claims.notOnOrAfter ?? 300);
  return `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${claims.assertionId ?? newSamlId()}" Version="2.0" IssueInstant="${at(claims.issuedAt ?? 0)}"><saml:Issuer>${escaped(claims.issuer ?? entityId)}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${escaped(nameId)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${claims.inResponseTo ?? request.id}" Recipient="${claims.recipient ?? request.acsUrl}" NotOnOrAfter="${at(claims.confirmedUntil ?? claims.notOnOrAfter ?? 300)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(claims.notBefore ?? -5)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${claims.audience ?? request.spEntityId}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(-1)}"><saml:AuthnContext><saml:AuthnContextClassRef>${claims.context ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password'}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributesXml(claims.attributes ?? {})}</saml:Assertion>`;
};

/** A SAML 2.0 provider without a server: browsers bring its requests and responses, so it is never called. */
export type SamlProvider = {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly keys: SelfSigned;
  /** Returns the XML of an unsigned response. */
  readonly unsigned: (request: SamlRequest, claims?: SamlClaims) => string;
  /** Returns the XML of a response with a signed assertion. */
  readonly signed: (request: SamlRequest, claims?: SamlClaims) => string;
};

export const newSamlProvider = (name: string): SamlProvider => {
  const entityId = `urn:example:${name}`;
  const keys = createSelfSigned({ name });
  const unsigned = (request: SamlRequest, claims: SamlClaims = {}): string =>
    `<samlp:Response xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${newSamlId()}" Version="2.0" IssueInstant="${at(0)}" Destination="${claims.destination ?? request.acsUrl}" InResponseTo="${claims.inResponseTo ?? request.id}"><saml:Issuer>${escaped(claims.issuer ?? entityId)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertionXml(entityId, request, claims)}</samlp:Response>`;
  return {
    entityId,
    ssoUrl: 'https://provider.example/sso?tenant=a',
    keys,
    unsigned,
    signed: (request, claims) => signElement(unsigned(request, claims), 'Assertion', keys),
  };
};
