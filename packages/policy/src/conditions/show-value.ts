import type { Field } from '../language/find-field.ts';
import { isCardNumber, MASKED, maskSecretText } from '../masks/mask-secrets.ts';
import { namesCount, namesSecret } from '../masks/secret-names.ts';
import { startOf } from '../values/start-of.ts';

const TEXT_LENGTH_MAX = 200;
/** More than is shown is searched, so that a secret across the cut is still found whole. */
const TEXT_SEARCHED_MAX = 400;
const ELEMENTS_MAX = 10;

/** Turns a value into what the trace may show of it. */
export type Show = (value: unknown) => unknown;

/** Bounded, whole characters only, and nothing a database could not keep. */
const boundedText = (text: string): string => {
  const short = text.length > TEXT_LENGTH_MAX ? `${startOf(text, TEXT_LENGTH_MAX)}…` : text;
  const whole = short.isWellFormed() ? short : short.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
};

/** The first elements as they are shown, and how many more there are. */
export const showList = (values: readonly unknown[], show: Show): unknown[] => {
  const shown = values.slice(0, ELEMENTS_MAX).map((value) => (Array.isArray(value) ? '[list]' : show(value)));
  if (values.length > ELEMENTS_MAX) shown.push(`… ${values.length - ELEMENTS_MAX} more`);
  return shown;
};

/** For fields the service itself fills. */
const showPlain: Show = (value) => {
  if (typeof value === 'string') return boundedText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? showList(value, showPlain) : '[object]';
};

/** The same, knowing the text that it showed last: conditions on one field meet the same few names over and over. */
const newPlain = (): Show => {
  let [last, shown] = ['', ''];
  return (value) => {
    if (typeof value !== 'string') return showPlain(value);
    if (value !== last) [last, shown] = [value, boundedText(value)];
    return shown;
  };
};

/** For members that callers name and fill. */
const showGuarded: Show = (value) => {
  if (typeof value === 'string')
    return boundedText(maskSecretText(value.length > TEXT_SEARCHED_MAX ? startOf(value, TEXT_SEARCHED_MAX) : value));
  if (typeof value === 'number') return isCardNumber(value) ? MASKED : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? showList(value, showGuarded) : '[object]';
};

/** Whether texts are searched for secrets before they are shown so. */
export const guardsTexts = (show: Show): boolean => show === showGuarded;

const showSecret: Show = (value) => (value === undefined || value === null || typeof value === 'boolean' ? value : MASKED);
const showCount: Show = (value) => (typeof value === 'number' ? value : showSecret(value));

/** Callers name members too: what a longer name says is not asked, and its value not shown. */
const NAME_LENGTH_MAX = 512;

/** How values under a member of this name are shown. */
export const showUnder = (name: string): Show => {
  if (name.length > NAME_LENGTH_MAX) return showSecret;
  if (!namesSecret(name)) return showGuarded;
  return namesCount(name) ? showCount : showSecret;
};

/** How values of this field are shown; any step of its path can name a secret. */
export const showField = (field: Field): Show => {
  if (field.row.family === undefined) return newPlain();
  const secret = field.segments.find((segment) => namesSecret(segment.key));
  return secret === undefined ? showGuarded : showUnder(secret.key);
};
