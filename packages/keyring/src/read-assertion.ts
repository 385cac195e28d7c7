import { type AssertionClaims, readAssertionClaims } from '@svc/domain/agents/assertion-claims.ts';
import { type CompactJws, splitCompactJws } from './compact-jws.ts';
import { readStringMembers } from './read-string-members.ts';

const ASSERTION_CHARS_MAX = 4096;

export type ReadAssertion = { readonly claims: AssertionClaims; readonly jws: CompactJws };

/** What an assertion says, its signature not yet verified; null when its shape is anything but the accepted one. */
export const readAssertion = (text: unknown): ReadAssertion | null => {
  const jws = splitCompactJws(text, ASSERTION_CHARS_MAX);
  if (jws === null) return null;
  const header = readStringMembers(jws.header);
  const payload = readStringMembers(jws.payload);
  const claims = header === null || payload === null ? null : readAssertionClaims(header, payload);
  return claims === null ? null : { claims, jws };
};
