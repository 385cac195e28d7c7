import type { PolicyField } from '../language/find-field.ts';
import { isCardNumber, MASKED, maskSecretText } from '../masks/mask-secrets.ts';
import { countNames, namesSecret } from '../masks/secret-names.ts';
import { truncateText } from '../values/truncate-text.ts';

const TEXT_LENGTH_MAX = 200;
/** More is searched than is shown, so that a secret across the cut is still found whole. */
const TEXT_SEARCHED_MAX = 400;
const ELEMENTS_MAX = 10;

/** Converts a value to what the trace may show of it. */
export type Show = (value: unknown) => unknown;

/** Returns a bounded text of whole characters, without anything that a database cannot store. */
const boundedText = (text: string): string => {
  const short = text.length > TEXT_LENGTH_MAX ? `${truncateText(text, TEXT_LENGTH_MAX)}…` : text;
  const whole = short.isWellFormed() ? short : short.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
};

/** Returns the first elements as shown, and the number of others. */
export const showList = (values: readonly unknown[], show: Show): unknown[] => {
  const shown = values.slice(0, ELEMENTS_MAX).map((value) => (Array.isArray(value) ? '[list]' : show(value)));
  if (values.length > ELEMENTS_MAX) shown.push(`… ${values.length - ELEMENTS_MAX} more`);
  return shown;
};

/** For fields that the service itself fills. */
const showPlain: Show = (value) => {
  if (typeof value === 'string') return boundedText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? showList(value, showPlain) : '[object]';
};

/** The same with a cache of the last text: conditions on one field see the same few names repeatedly. */
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
    return boundedText(maskSecretText(value.length > TEXT_SEARCHED_MAX ? truncateText(value, TEXT_SEARCHED_MAX) : value));
  if (typeof value === 'number') return isCardNumber(value) ? MASKED : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? showList(value, showGuarded) : '[object]';
};

/** Returns true if texts are searched for secrets before they are shown. */
export const guardsTexts = (show: Show): boolean => show === showGuarded;

const showSecret: Show = (value) => (value === undefined || value === null || typeof value === 'boolean' ? value : MASKED);
const showCount: Show = (value) => (typeof value === 'number' ? value : showSecret(value));

/** Callers name members too: a longer name is not inspected, and its value is not shown. */
const NAME_LENGTH_MAX = 512;

/** Returns how to show values under a member of this name. */
export const showUnder = (name: string): Show => {
  if (name.length > NAME_LENGTH_MAX) return showSecret;
  if (!namesSecret(name)) return showGuarded;
  return countNames(name) ? showCount : showSecret;
};

/** Returns how to show values of this field; any step of its path can name a secret. */
export const showField = (field: PolicyField): Show => {
  if (field.row.family === undefined) return newPlain();
  const secret = field.segments.find((segment) => namesSecret(segment.key));
  return secret === undefined ? showGuarded : showUnder(secret.key);
};
