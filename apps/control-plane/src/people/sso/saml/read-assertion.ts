import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Asserted } from '@svc/domain/people/sso/assertion-fault.ts';
import { attributeOf, childrenNamed, childrenOf, isNamed, onlyChild, parseXml, textOf } from './elements.ts';

/** Content of an assertion, with the values of each attribute by name. */
export type ReadAssertion = {
  readonly id: string;
  readonly asserted: Asserted;
  readonly contexts: readonly string[];
  readonly attributes: ReadonlyMap<string, readonly string[]>;
};

const CONDITIONS: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

const confirmationOf = (confirmation: Element): Asserted['confirmations'][number] => {
  const data = onlyChild(confirmation, 'assertion', 'SubjectConfirmationData');
  return {
    method: attributeOf(confirmation, 'Method'),
    recipient: attributeOf(data, 'Recipient'),
    inResponseTo: attributeOf(data, 'InResponseTo'),
    notBefore: attributeOf(data, 'NotBefore'),
    notOnOrAfter: attributeOf(data, 'NotOnOrAfter'),
  };
};

const attributesOf = (assertion: Element): ReadonlyMap<string, readonly string[]> => {
  const attributes = new Map<string, string[]>();
  for (const statement of childrenNamed(assertion, 'assertion', 'AttributeStatement'))
    for (const attribute of childrenNamed(statement, 'assertion', 'Attribute')) {
      const name = attributeOf(attribute, 'Name') ?? '';
      const values = childrenNamed(attribute, 'assertion', 'AttributeValue').map((value) => textOf(value)?.trim());
      const known = attributes.get(name) ?? [];
      attributes.set(name, [...known, ...values.filter((value) => value !== undefined)].slice(0, LIMITS.sso.claimValuesMax));
    }
  return attributes;
};

/** Parses an assertion from exactly the signed bytes; undefined if they are no assertion. */
export const readAssertion = (signedXml: string): ReadAssertion | undefined => {
  const assertion = parseXml(signedXml);
  if (!assertion || !isNamed(assertion, 'assertion', 'Assertion') || attributeOf(assertion, 'Version') !== '2.0') return undefined;
  const subject = onlyChild(assertion, 'assertion', 'Subject');
  const nameId = onlyChild(subject, 'assertion', 'NameID');
  const conditions = onlyChild(assertion, 'assertion', 'Conditions');
  // An unknown condition is treated as not met.
  if (!conditions || childrenOf(conditions).some(({ localName }) => !CONDITIONS.has(localName))) return undefined;
  const statements = childrenNamed(assertion, 'assertion', 'AuthnStatement');
  if (statements.length === 0) return undefined;
  const contexts = statements.map((each) =>
    textOf(onlyChild(onlyChild(each, 'assertion', 'AuthnContext'), 'assertion', 'AuthnContextClassRef')),
  );
  return {
    id: attributeOf(assertion, 'ID') ?? '',
    asserted: {
      issuer: textOf(onlyChild(assertion, 'assertion', 'Issuer')),
      issuedAt: attributeOf(assertion, 'IssueInstant'),
      nameId: textOf(nameId),
      nameIdFormat: attributeOf(nameId, 'Format'),
      confirmations: subject ? childrenNamed(subject, 'assertion', 'SubjectConfirmation').map(confirmationOf) : [],
      notBefore: attributeOf(conditions, 'NotBefore'),
      notOnOrAfter: attributeOf(conditions, 'NotOnOrAfter'),
      audiences: childrenNamed(conditions, 'assertion', 'AudienceRestriction').map((each) =>
        childrenNamed(each, 'assertion', 'Audience').map(textOf),
      ),
      sessionEnds: statements.map((each) => attributeOf(each, 'SessionNotOnOrAfter')).filter((end) => end !== undefined),
    },
    contexts: contexts.filter((each) => each !== undefined),
    attributes: attributesOf(assertion),
  };
};
