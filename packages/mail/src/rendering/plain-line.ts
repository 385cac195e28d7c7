import { LIMITS } from '@svc/contract/tables/limits.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';

/** Line ends, control characters, and characters that change the writing direction or are invisible. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Returns a value as one line of bounded length, so that it adds no header, line or command to the text around it. */
export const plainLine = (value: string): string => {
  const line = value.replace(UNSEEN, ' ').trim();
  const { valueLengthMax } = LIMITS.mail;
  return line.length <= valueLengthMax ? line : `${truncateText(line, valueLengthMax - 1)}…`;
};
