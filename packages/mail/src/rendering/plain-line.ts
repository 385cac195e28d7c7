import { LIMITS } from '@svc/contract/tables/limits.ts';
import { startOf } from '@svc/policy/values/start-of.ts';

/** Line ends, what steers a terminal, and what turns the direction of writing or stands unseen between letters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** A value as one line of bounded length, so that it adds no header, no line and no command to what it is put into. */
export const plainLine = (value: string): string => {
  const line = value.replace(UNSEEN, ' ').trim();
  const { valueLengthMax } = LIMITS.mail;
  return line.length <= valueLengthMax ? line : `${startOf(line, valueLengthMax - 1)}…`;
};
