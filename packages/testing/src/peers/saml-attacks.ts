import { newSamlProvider, type SamlClaims, type SamlProvider, type SamlRequest, signElement } from './saml-provider.ts';
import { createSelfSigned } from './self-signed.ts';

/** Builds a response that must be refused, from a request and what the provider signed for the attacker. */
export type SamlAttack = (request: SamlRequest, provider: SamlProvider, eve: SamlClaims, victim: SamlClaims) => string;

const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
const SIGNATURE = /<ds:Signature[\s\S]*?<\/ds:Signature>/;

const part = (xml: string, what: RegExp): string => what.exec(xml)?.[0] ?? '';
const without = (xml: string, what: RegExp): string => xml.replace(what, '');
const replaced = (xml: string, what: RegExp, by: string): string => xml.replace(what, () => by);

/** A response signed as a whole, and one with a signed assertion, each about the attacker; and the assertion that they want accepted. */
const pieces = (request: SamlRequest, provider: SamlProvider, eve: SamlClaims, victim: SamlClaims) => {
  const signed = provider.signed(request, eve);
  const whole = signElement(provider.unsigned(request, eve), 'Response', provider.keys);
  const evil = provider.unsigned(request, { ...victim, assertionId: '_evil' });
  return {
    signed,
    whole,
    evil,
    evilAssertion: part(evil, ASSERTION),
    trueAssertion: part(signed, ASSERTION),
    signature: part(signed, SIGNATURE),
  };
};

const evilRoot = (evil: string, inside: string): string => evil.replace('</samlp:Response>', () => `${inside}</samlp:Response>`);
const inEvil = (evilAssertion: string, inside: string): string =>
  evilAssertion.replace('</saml:Assertion>', () => `${inside}</saml:Assertion>`);

/** The eight attacks of signature wrapping, in their usual order. */
const WRAPPING: Readonly<Record<string, SamlAttack>> = {
  'XSW1: the signed response within the signature of another': (...given) => {
    const { whole, evil } = pieces(...given);
    const signature = part(whole, SIGNATURE);
    const moved = signature.replace('</ds:Signature>', () => `<ds:Object>${without(whole, SIGNATURE)}</ds:Object></ds:Signature>`);
    return evil.replace('</saml:Issuer>', () => `</saml:Issuer>${moved}`);
  },
  'XSW2: the signed response beside a signature that stands elsewhere': (...given) => {
    const { whole, evil } = pieces(...given);
    return evil.replace('</saml:Issuer>', () => `</saml:Issuer>${without(whole, SIGNATURE)}${part(whole, SIGNATURE)}`);
  },
  'XSW3: another assertion before the signed one': (...given) => {
    const { signed, evilAssertion, trueAssertion } = pieces(...given);
    return replaced(signed, ASSERTION, `${evilAssertion}${trueAssertion}`);
  },
  'XSW4: the signed assertion within another': (...given) => {
    const { signed, evilAssertion, trueAssertion } = pieces(...given);
    return replaced(signed, ASSERTION, inEvil(evilAssertion, trueAssertion));
  },
  'XSW5: another assertion with the signature of the one after it': (...given) => {
    const { signed, evilAssertion, trueAssertion, signature } = pieces(...given);
    const signedEvil = evilAssertion.replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`);
    return replaced(signed, ASSERTION, `${signedEvil}${without(trueAssertion, SIGNATURE)}`);
  },
  'XSW6: another assertion with a signature that holds the true one': (...given) => {
    const { signed, evilAssertion, trueAssertion, signature } = pieces(...given);
    const holding = signature.replace('</ds:Signature>', () => `${without(trueAssertion, SIGNATURE)}</ds:Signature>`);
    return replaced(
      signed,
      ASSERTION,
      evilAssertion.replace('</saml:Issuer>', () => `</saml:Issuer>${holding}`),
    );
  },
  'XSW7: another assertion in extensions': (...given) => {
    const { signed, evilAssertion } = pieces(...given);
    return signed.replace('<samlp:Status>', () => `<samlp:Extensions>${evilAssertion}</samlp:Extensions><samlp:Status>`);
  },
  'XSW8: the true assertion in an object of the signature': (...given) => {
    const { signed, evilAssertion, trueAssertion, signature } = pieces(...given);
    const object = `<ds:Object>${without(trueAssertion, SIGNATURE)}</ds:Object></ds:Signature>`;
    const holding = signature.replace('</ds:Signature>', () => object);
    return replaced(
      signed,
      ASSERTION,
      evilAssertion.replace('</saml:Issuer>', () => `</saml:Issuer>${holding}`),
    );
  },
  'wrapping with the id of the signed one twice': (...given) => {
    const { signed, evilAssertion, trueAssertion } = pieces(...given);
    const id = part(trueAssertion, /ID="[^"]+"/);
    return replaced(signed, ASSERTION, `${evilAssertion.replace('ID="_evil"', id)}${trueAssertion}`);
  },
  'the true assertion in an element that nobody knows': (...given) => {
    const { evil, trueAssertion } = pieces(...given);
    return evilRoot(evil, `<wrap>${trueAssertion}</wrap>`);
  },
  'two assertions, both signed': (...given) => {
    const { signed, trueAssertion } = pieces(...given);
    const [request, provider, , victim] = given;
    return replaced(signed, ASSERTION, `${trueAssertion}${part(provider.signed(request, victim), ASSERTION)}`);
  },
};

const getAlias = (victim: SamlClaims, between: string): SamlClaims => ({ ...victim, nameId: `${victim.nameId}${between}` });

/** Texts that two parsers read differently: the provider signs a name of the attacker's, part of which is the victim's. */
const READINGS: Readonly<Record<string, SamlAttack>> = {
  'a comment within the name': (request, provider, _eve, victim) =>
    provider.signed(request, getAlias(victim, '.evil')).replace('.evil</saml:NameID>', '<!-- -->.evil</saml:NameID>'),
  'CDATA within the name': (request, provider, _eve, victim) =>
    provider.signed(request, getAlias(victim, '.evil')).replace('.evil</saml:NameID>', '<![CDATA[.evil]]></saml:NameID>'),
  'an instruction within the name': (request, provider, _eve, victim) =>
    provider.signed(request, getAlias(victim, '.evil')).replace('.evil</saml:NameID>', '<?x?>.evil</saml:NameID>'),
  'an element within the name': (request, provider, _eve, victim) =>
    signElement(
      provider.unsigned(request, getAlias(victim, '.evil')).replace('.evil</saml:NameID>', '<b/>.evil</saml:NameID>'),
      'Assertion',
      provider.keys,
    ),
  'a name with space around it': (request, provider, _eve, victim) => provider.signed(request, getAlias(victim, ' ')),
  'a line break for a name': (request, provider, _eve, victim) => provider.signed(request, getAlias(victim, '\n')),
  'two names': (request, provider, eve, victim) =>
    signElement(
      provider.unsigned(request, eve).replace('</saml:NameID>', () => `</saml:NameID><saml:NameID>${victim.nameId}</saml:NameID>`),
      'Assertion',
      provider.keys,
    ),
  'an entity of its own': (request, provider, eve, victim) =>
    `<!DOCTYPE r [<!ENTITY v "${victim.nameId}">]>${provider.signed(request, eve).replace(/>[^<]*<\/saml:NameID>/, '>&v;</saml:NameID>')}`,
  'an entity that is a file': (request, provider, eve) =>
    `<!DOCTYPE r [<!ENTITY v SYSTEM "file:///etc/passwd">]>${provider.signed(request, eve).replace(/>[^<]*<\/saml:NameID>/, '>&v;</saml:NameID>')}`,
  'entities of entities': (request, provider, eve) => {
    const laughs = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    return `<!DOCTYPE r [<!ENTITY l0 "ha">${laughs}]>${provider.signed(request, eve).replace(/>[^<]*<\/saml:NameID>/, '>&l12;</saml:NameID>')}`;
  },
  'an encoding that is not what it says': (request, provider, _eve, victim) =>
    `<?xml version="1.0" encoding="utf-7"?>${provider.signed(request, victim)}`,
  'a document after the document': (request, provider, eve, victim) =>
    `${provider.signed(request, eve)}${provider.unsigned(request, victim)}`,
};

const SHA1 = { method: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', digest: 'http://www.w3.org/2000/09/xmldsig#sha1' };
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

const signedBy =
  (signing: Parameters<typeof signElement>[3]): SamlAttack =>
  (request, provider, _eve, victim) =>
    signElement(provider.unsigned(request, victim), 'Assertion', provider.keys, signing);

const stranger = createSelfSigned({ name: 'stranger' });
const another = newSamlProvider('another');

const SIGNATURES: Readonly<Record<string, SamlAttack>> = {
  'no signature at all': (request, provider, _eve, victim) => provider.unsigned(request, victim),
  'a signature of the whole alone': (request, provider, _eve, victim) =>
    signElement(provider.unsigned(request, victim), 'Response', provider.keys),
  'a key of nobody, which it brings along': (request, provider, _eve, victim) =>
    signElement(provider.unsigned(request, victim), 'Assertion', stranger),
  'another provider in its place': (request, provider, _eve, victim) => another.signed(request, { ...victim, issuer: provider.entityId }),
  'a signature by SHA-1': signedBy(SHA1),
  'a digest by SHA-1': signedBy({ digest: SHA1.digest }),
  'canonicalised with all that is around it': signedBy({ canonical: INCLUSIVE }),
  'canonicalised with comments': signedBy({ canonical: `${EXCLUSIVE}WithComments` }),
  'a transform more': signedBy({ transforms: [ENVELOPED, EXCLUSIVE, EXCLUSIVE] }),
  'one transform': signedBy({ transforms: [ENVELOPED] }),
  'a reference to everything': (request, provider, _eve, victim) =>
    provider.signed(request, victim).replace(/<ds:Reference URI="#[^"]+"/, '<ds:Reference URI=""'),
  'a name that was changed after it was signed': (request, provider, eve, victim) =>
    provider.signed(request, eve).replace(`>${eve.nameId}</saml:NameID>`, `>${victim.nameId}</saml:NameID>`),
  'a signature without a value': (request, provider, _eve, victim) =>
    provider.signed(request, victim).replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'),
  'an empty digest': (request, provider, _eve, victim) =>
    provider.signed(request, victim).replace(/<ds:DigestValue>[^<]*/, '<ds:DigestValue>'),
};

const says =
  (more: SamlClaims): SamlAttack =>
  (request, provider, _eve, victim) =>
    provider.signed(request, { ...victim, ...more });
const afterwards =
  (from: string | RegExp, to: string): SamlAttack =>
  (request, provider, _eve, victim) =>
    signElement(provider.unsigned(request, victim).replace(from, to), 'Assertion', provider.keys);

const CONTENTS: Readonly<Record<string, SamlAttack>> = {
  'another audience': says({ audience: 'https://elsewhere.example' }),
  'no audience': afterwards(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, ''),
  'another recipient': says({ recipient: 'https://elsewhere.example/acs' }),
  'another destination': says({ destination: 'https://elsewhere.example/acs' }),
  'no destination': afterwards(/ Destination="[^"]*"/, ''),
  'another issuer': says({ issuer: 'urn:example:another' }),
  'an end that is past': says({ notOnOrAfter: -120 }),
  'a confirmation whose end is past': says({ confirmedUntil: -120 }),
  'a beginning that is still to come': says({ notBefore: 120 }),
  'a making long ago': says({ issuedAt: -1_200 }),
  'a making that is still to come': says({ issuedAt: 600 }),
  'no end': afterwards(/(<saml:Conditions[^>]*) NotOnOrAfter="[^"]*"/, '$1'),
  'no confirmation': afterwards(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, ''),
  'a confirmation by a key': afterwards('cm:bearer', 'cm:holder-of-key'),
  'no statement that anybody signed in': afterwards(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, ''),
  'a condition that nobody knows': afterwards('</saml:Conditions>', '<saml:Condition/></saml:Conditions>'),
  'an answer to another request': says({ inResponseTo: '_another' }),
  'an answer to no request': afterwards(/ InResponseTo="[^"]*"/g, ''),
  'a confirmation of another request': afterwards(/(<saml:SubjectConfirmationData InResponseTo=")[^"]*/, '$1_another'),
  'a name for one time': says({ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  'an empty name': says({ nameId: '' }),
  'a very long name': says({ nameId: 'n'.repeat(300) }),
  'a status that is none': afterwards('status:Success', 'status:Responder'),
};

const many = (count: number, each: string): SamlAttack => afterwards('<samlp:Status>', `${each.repeat(count)}<samlp:Status>`);
const BOUNDS: Readonly<Record<string, SamlAttack>> = {
  'more bytes than are read': (request, provider, _eve, victim) =>
    provider.signed(request, { ...victim, attributes: { a: ['x'.repeat(70_000)] } }),
  'more elements than are looked at': (request, provider, _eve, victim) =>
    provider.signed(request, { ...victim, attributes: { a: Array.from({ length: 1_600 }, () => '') } }),
  'deeper than is looked at': afterwards('<samlp:Status>', `${'<a>'.repeat(40)}${'</a>'.repeat(40)}<samlp:Status>`),
  'more namespaces than are looked at': many(80, '<a xmlns:b="urn:c"/>'),
  'tags that never end': (request, provider, eve) => provider.signed(request, eve).slice(0, -30),
  'nothing but a beginning': () => '<'.repeat(40_000),
  'attributes without end': () => `<a ${'b="" '.repeat(12_000)}`,
  'no XML': () => 'this is nothing',
};

/** Every response that must be refused, by the name of its fault. */
export const SAML_ATTACKS: Readonly<Record<string, SamlAttack>> = { ...WRAPPING, ...READINGS, ...SIGNATURES, ...CONTENTS, ...BOUNDS };
