/** Claims of an assertion; times as written. */
export type Asserted = {
  readonly issuer: string | undefined;
  readonly issuedAt: string | undefined;
  readonly nameId: string | undefined;
  readonly nameIdFormat: string | undefined;
  readonly confirmations: readonly {
    readonly method: string | undefined;
    readonly recipient: string | undefined;
    readonly inResponseTo: string | undefined;
    readonly notBefore: string | undefined;
    readonly notOnOrAfter: string | undefined;
  }[];
  readonly notBefore: string | undefined;
  readonly notOnOrAfter: string | undefined;
  /** Audiences per restriction: every restriction must name us. */
  readonly audiences: readonly (readonly (string | undefined)[])[];
  readonly sessionEnds: readonly string[];
};

export type Expected = {
  readonly issuer: string;
  readonly entityId: string;
  readonly acsUrl: string;
  readonly requestId: (inResponseTo: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly skewMs: number;
  /** Maximum age. */
  readonly ageMs: number;
};

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:(\.\d{1,3})\d{0,9})?Z$/;
const SUBJECT_CHARS_MAX = 255;

/** Parses a UTC time of SAML to milliseconds since the epoch; NaN for anything else, so that comparisons with any time are false. */
export const parseSamlTime = (text: string | undefined): number => {
  const [, seconds, fraction = ''] = TIME.exec(text ?? '') ?? [];
  return seconds === undefined ? Number.NaN : Date.parse(`${seconds}${fraction}Z`);
};

const isUnderWay = ({ notBefore, notOnOrAfter }: Pick<Asserted, 'notBefore' | 'notOnOrAfter'>, { now, skewMs }: Expected): boolean =>
  now - skewMs < parseSamlTime(notOnOrAfter) && (notBefore === undefined || parseSamlTime(notBefore) <= now + skewMs);

const isConfirmed = (asserted: Asserted, expected: Expected): boolean =>
  asserted.confirmations.some(
    (each) =>
      each.method === BEARER &&
      each.recipient === expected.acsUrl &&
      each.inResponseTo !== undefined &&
      expected.requestId(each.inResponseTo) &&
      isUnderWay(each, expected),
  );

const subjectFault = ({ nameId, nameIdFormat }: Asserted): string | undefined => {
  if (nameId === undefined || nameId === '' || nameId.length > SUBJECT_CHARS_MAX) return 'no subject';
  if (nameId !== nameId.trim() || /\p{Cc}/u.test(nameId)) return 'a subject with leading or trailing spaces';
  return nameIdFormat === TRANSIENT ? 'a transient subject' : undefined;
};

/** Returns why a signed assertion is not valid for us here and now; undefined if it is. */
export const findAssertionFault = (asserted: Asserted, expected: Expected): string | undefined => {
  if (asserted.issuer !== expected.issuer) return 'another issuer';
  const issuedAt = parseSamlTime(asserted.issuedAt);
  const { now, skewMs, ageMs, entityId } = expected;
  if (!(issuedAt <= now + skewMs && issuedAt >= now - skewMs - ageMs)) return 'an issue time out of range';
  if (asserted.notOnOrAfter === undefined || !isUnderWay(asserted, expected)) return 'expired, or not yet valid';
  if (asserted.audiences.length === 0 || !asserted.audiences.every((each) => each.includes(entityId))) return 'another audience';
  if (!isConfirmed(asserted, expected)) return 'no confirmation for this address, request and time';
  if (asserted.sessionEnds.some((end) => !(now - skewMs < parseSamlTime(end)))) return 'an expired session';
  return subjectFault(asserted);
};
