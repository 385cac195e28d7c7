import type { VersionBody } from '@svc/contract/policies/language.ts';
import { addFault, below, type Fault } from '../values/faults.ts';

/** Characters that change the direction of text or have no glyph of their own. */
const ALWAYS =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\u{e0000}-\\u{e0fff}';
/** Joiners, marks and selectors, which some scripts and emoji need. Between ASCII characters they have no use. */
const UNSEEN = new RegExp(`[${ALWAYS}]|(?<![^\\x00-\\x7f])[\\u200c-\\u200f\\ufe00-\\ufe0f](?![^\\x00-\\x7f])`, 'u');

const describeUnseen = (text: string): string | null => {
  const [found] = UNSEEN.exec(text) ?? [];
  if (found === undefined) return null;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `Text must not contain the invisible or bidirectional character U+${code}; remove it. To search for it, use matches with \\x{${code}}.`;
};

/**
 * Returns faults for characters that make a rule read differently from how it is compared: in reasons, descriptions, names, fields and
 * values, and in
 * names of tests. Requests in tests may contain them, since they reproduce an attacker's input. Walks without recursion.
 */
export const unseenCharacters = ({ rules, tests }: VersionBody): Fault[] => {
  const faults: Fault[] = [];
  const open: { value: unknown; pointer: string }[] = [{ value: rules, pointer: '/rules' }];
  for (const [index, { name }] of tests.entries()) open.push({ value: name, pointer: `/tests/${index}/name` });
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, pointer } = place;
    const fault = typeof value === 'string' ? describeUnseen(value) : null;
    if (fault !== null) addFault(faults, pointer, fault);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) open.push({ value: member, pointer: below(pointer, key) });
  }
  return faults.toReversed();
};
