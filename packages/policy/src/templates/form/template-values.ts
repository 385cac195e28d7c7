import { WEEKDAYS, type Weekday } from '@svc/contract/policies/language.ts';

/** The type of a template value: published to editors as a JSON Schema, and parsed accordingly. */
export type TemplateValueKind<Value = unknown> = {
  readonly schema: Readonly<Record<string, unknown>>;
  /** `says` describes the fault, as the end of a sentence that begins with "Must be". */
  readonly holds: (written: unknown) => written is Value;
  readonly says: string;
};

const LIST_MAX = 50;
const AMOUNT_MAX = Number.MAX_SAFE_INTEGER - 1;

const whole = (minimum: number, maximum: number, what: string): TemplateValueKind<number> => ({
  schema: { type: 'integer', minimum, maximum },
  holds: (written): written is number => Number.isSafeInteger(written) && (written as number) >= minimum && (written as number) <= maximum,
  says: `${what} from ${minimum} to ${maximum}`,
});

const text = (pattern: string, maxLength: number, says: string): TemplateValueKind<string> => {
  const fits = new RegExp(pattern);
  return {
    schema: { type: 'string', pattern, maxLength },
    holds: (written): written is string => typeof written === 'string' && written.length <= maxLength && fits.test(written),
    says,
  };
};

const listOf = <Item>(
  item: TemplateValueKind<Item>,
  says: string,
  minItems = 1,
  maxItems = LIST_MAX,
): TemplateValueKind<readonly Item[]> => ({
  schema: { type: 'array', items: item.schema, minItems, maxItems, uniqueItems: true },
  holds: (written): written is readonly Item[] =>
    Array.isArray(written) &&
    written.length >= minItems &&
    written.length <= maxItems &&
    new Set(written).size === written.length &&
    written.every((one) => item.holds(one)),
  says,
});

const weekday: TemplateValueKind<Weekday> = {
  schema: { type: 'string', enum: WEEKDAYS },
  holds: (written): written is Weekday => WEEKDAYS.some((day) => day === written),
  says: 'a weekday',
};

const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9]';
const date = text('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, 'a date');
const DOMAIN = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$';

export const amount = whole(1, AMOUNT_MAX, 'a whole number of minor units');
export const count = (minimum: number, maximum: number): TemplateValueKind<number> => whole(minimum, maximum, 'a whole number');
export const hours = text(`^${CLOCK}-${CLOCK}$`, 11, 'a time range, such as 22:00-06:00');
export const dates = listOf(date, 'two dates, such as ["2026-12-21", "2027-01-03"]', 2, 2);
export const days = listOf(weekday, `a list of unique values from ${WEEKDAYS.join(', ')}`, 1, WEEKDAYS.length - 1);
export const capability = text('^[a-z0-9_-]+(\\.[a-z0-9_-]+)*$', 90, 'the name of a capability, such as payments.refund');
export const words = listOf(text('^[a-z0-9_]+$', 50, 'a word'), 'a list of unique words of lower-case letters, digits and _');
export const domain = text(DOMAIN, 253, 'a lower-case domain, such as example.com');
export const domains = listOf(domain, 'a list of lower-case domains, such as ["example.com"]');
export const networks = (minItems: number): TemplateValueKind<readonly string[]> =>
  listOf(text('^[0-9A-Fa-f:.]+/[0-9]{1,3}$', 50, 'a network'), 'a list of networks, such as ["192.0.2.0/24", "2001:db8::/32"]', minItems);
export const currencies = listOf(text('^[A-Z]{3}$', 3, 'a currency'), 'a list of currencies, such as ["EUR", "USD"]');
export const label = text('^[A-Za-z0-9][A-Za-z0-9 ._-]*$', 63, 'the value of a label');
export const role = text('^[a-z0-9_]+$', 64, 'a built-in role or a role id');

/** Returns a pattern that matches the last word of a name. */
export const matchLastWord = (given: readonly string[]): string => `\\.(${given.join('|')})$`;
/** Returns a pattern that matches any word of a name. */
export const matchAnyWord = (given: readonly string[]): string => `(^|[._-])(${given.join('|')})($|[._-])`;

export const matchBeginning = (given: string): string => given.slice(0, 5);
export const matchEnding = (given: string): string => given.slice(6);

/** Returns the minute before a time of day: 05:59 before 06:00. */
export const minuteBefore = (clock: string): string => {
  const minutes = (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)) + 1_439) % 1_440;
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
};
