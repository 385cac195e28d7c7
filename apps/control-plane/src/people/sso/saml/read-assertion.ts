import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Asserted } from '@svc/domain/people/sso/assertion-fault.ts';
import { attributeOf, getChildren, getChildrenNamed, getOnlyChild, getText, isNamed, parseXml } from './elements.ts';

/** Content of an assertion, with the values of each attribute by name. */
export type SamlAssertion = {
  readonly id: string;
  readonly asserted: Asserted;
  readonly contexts: readonly string[];
  readonly attributes: ReadonlyMap<string, readonly string[]>;
};

const CONDITIONS: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

const getConfirmation = (confirmation: Element): Asserted['confirmations'][number] => {
  const data = getOnlyChild(confirmation, 'assertion', 'SubjectConfirmationData');
  return {
    method: attributeOf(confirmation, 'Method'),
    recipient: attributeOf(data, 'Recipient'),
    inResponseTo: attributeOf(data, 'InResponseTo'),
    notBefore: attributeOf(data, 'NotBefore'),
    notOnOrAfter: attributeOf(data, 'NotOnOrAfter'),
  };
};

const listAttributes = (assertion: Element): ReadonlyMap<string, readonly string[]> => {
  const attributes = new Map<string, string[]>();
  for (const statement of getChildrenNamed(assertion, 'assertion', 'AttributeStatement'))
    for (const attribute of getChildrenNamed(statement, 'assertion', 'Attribute')) {
      const name = attributeOf(attribute, 'Name') ?? '';
      const values = getChildrenNamed(attribute, 'assertion', 'AttributeValue').map((value) => getText(value)?.trim());
      const known = attributes.get(name) ?? [];
      attributes.set(name, [...known, ...values.filter((value) => value !== undefined)].slice(0, LIMITS.sso.claimValuesMax));
    }
  return attributes;
};

/** Parses an assertion from exactly the signed bytes; undefined if they are no assertion. */
export const readAssertion = (signedXml: string): SamlAssertion | undefined => {
  const assertion = parseXml(signedXml);
  if (!assertion || !isNamed(assertion, 'assertion', 'Assertion') || attributeOf(assertion, 'Version') !== '2.0') return undefined;
  const subject = getOnlyChild(assertion, 'assertion', 'Subject');
  const nameId = getOnlyChild(subject, 'assertion', 'NameID');
  const conditions = getOnlyChild(assertion, 'assertion', 'Conditions');
  // An unknown condition is treated as not met.
  if (!conditions || getChildren(conditions).some(({ localName }) => !CONDITIONS.has(localName))) return undefined;
  const statements = getChildrenNamed(assertion, 'assertion', 'AuthnStatement');
  if (statements.length === 0) return undefined;
  const contexts = statements.map((each) =>
    getText(getOnlyChild(getOnlyChild(each, 'assertion', 'AuthnContext'), 'assertion', 'AuthnContextClassRef')),
  );
  return {
    id: attributeOf(assertion, 'ID') ?? '',
    asserted: {
      issuer: getText(getOnlyChild(assertion, 'assertion', 'Issuer')),
      issuedAt: attributeOf(assertion, 'IssueInstant'),
      nameId: getText(nameId),
      nameIdFormat: attributeOf(nameId, 'Format'),
      confirmations: subject ? getChildrenNamed(subject, 'assertion', 'SubjectConfirmation').map(getConfirmation) : [],
      notBefore: attributeOf(conditions, 'NotBefore'),
      notOnOrAfter: attributeOf(conditions, 'NotOnOrAfter'),
      audiences: getChildrenNamed(conditions, 'assertion', 'AudienceRestriction').map((each) =>
        getChildrenNamed(each, 'assertion', 'Audience').map(getText),
      ),
      sessionEnds: statements.map((each) => attributeOf(each, 'SessionNotOnOrAfter')).filter((end) => end !== undefined),
    },
    contexts: contexts.filter((each) => each !== undefined),
    attributes: listAttributes(assertion),
  };
};
