import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Asserted } from '@svc/domain/people/sso/assertion-fault.ts';
import { getChildren, getChildrenNamed, getOnlyChild, getText, isNamed, parseXml, readAttribute } from './elements.ts';

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
    method: readAttribute(confirmation, 'Method'),
    recipient: readAttribute(data, 'Recipient'),
    inResponseTo: readAttribute(data, 'InResponseTo'),
    notBefore: readAttribute(data, 'NotBefore'),
    notOnOrAfter: readAttribute(data, 'NotOnOrAfter'),
  };
};

const listAttributes = (assertion: Element): ReadonlyMap<string, readonly string[]> => {
  const attributes = new Map<string, string[]>();
  for (const statement of getChildrenNamed(assertion, 'assertion', 'AttributeStatement'))
    for (const attribute of getChildrenNamed(statement, 'assertion', 'Attribute')) {
      const name = readAttribute(attribute, 'Name') ?? '';
      const values = getChildrenNamed(attribute, 'assertion', 'AttributeValue').map((value) => getText(value)?.trim());
      const known = attributes.get(name) ?? [];
      attributes.set(name, [...known, ...values.filter((value) => value !== undefined)].slice(0, LIMITS.sso.claimValuesMax));
    }
  return attributes;
};

/** Parses an assertion from exactly the signed bytes; undefined if they are no assertion. */
export const readAssertion = (signedXml: string): SamlAssertion | undefined => {
  const assertion = parseXml(signedXml);
  if (!assertion || !isNamed(assertion, 'assertion', 'Assertion') || readAttribute(assertion, 'Version') !== '2.0') return undefined;
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
    id: readAttribute(assertion, 'ID') ?? '',
    asserted: {
      issuer: getText(getOnlyChild(assertion, 'assertion', 'Issuer')),
      issuedAt: readAttribute(assertion, 'IssueInstant'),
      nameId: getText(nameId),
      nameIdFormat: readAttribute(nameId, 'Format'),
      confirmations: subject ? getChildrenNamed(subject, 'assertion', 'SubjectConfirmation').map(getConfirmation) : [],
      notBefore: readAttribute(conditions, 'NotBefore'),
      notOnOrAfter: readAttribute(conditions, 'NotOnOrAfter'),
      audiences: getChildrenNamed(conditions, 'assertion', 'AudienceRestriction').map((each) =>
        getChildrenNamed(each, 'assertion', 'Audience').map(getText),
      ),
      sessionEnds: statements.map((each) => readAttribute(each, 'SessionNotOnOrAfter')).filter((end) => end !== undefined),
    },
    contexts: contexts.filter((each) => each !== undefined),
    attributes: listAttributes(assertion),
  };
};
