import type { ErrorObject } from 'ajv/dist/2020.js';

type Judge = (error: ErrorObject, errors: readonly ErrorObject[]) => boolean;

/** Keywords whose parts have more exact faults. */
const UNTOLD: ReadonlySet<string> = new Set(['anyOf', 'if']);

const beside = ({ instancePath }: ErrorObject, errors: readonly ErrorObject[], keyword: string): boolean =>
  errors.some((e) => e.keyword === keyword && e.instancePath === instancePath);

/** If one of several members is required, only the first is reported, not all as if each were needed. */
const isLaterChoice: Judge = ({ keyword, schemaPath, instancePath }, errors) => {
  const first =
    keyword === 'required' && /\/anyOf\/[1-9]\d*\/required$/.test(schemaPath) && schemaPath.replace(/(?<!\d)\d+\/required$/, '0/required');
  return first !== false && errors.some((e) => e.schemaPath === first && e.instancePath === instancePath);
};

/** Returns the choice that includes null; undefined for any other fault. */
const nullOf = ({ keyword, params, schemaPath }: ErrorObject): string | undefined =>
  keyword === 'type' && params.type === 'null' ? /^(.*\/anyOf\/)\d+\/type$/.exec(schemaPath)?.[1] : undefined;

const isOfChoice = (error: ErrorObject, choice: string, instancePath: string): boolean =>
  error.schemaPath.startsWith(choice) && (error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`));

/** Drops the null branch if a value was sent: the fault of the value is reported instead. */
const isNullBesideValue: Judge = (error, errors) => {
  const choice = nullOf(error);
  return choice !== undefined && errors.some((e) => e !== error && isOfChoice(e, choice, error.instancePath));
};

/** Keeps one fault per position: the length if it makes the form meaningless, the form if the value is empty, or the only valid value. */
const isToldBetter: Judge = (error, errors) => {
  if (error.keyword === 'pattern') return beside(error, errors, 'maxLength');
  if (error.keyword === 'minLength') return error.params.limit === 1 && beside(error, errors, 'pattern');
  return error.keyword === 'type' && beside(error, errors, 'const');
};

const takesNullToo: Judge = (error, errors) =>
  error.keyword === 'type' &&
  errors.some((e) => {
    const choice = nullOf(e);
    return choice !== undefined && e !== error && e.instancePath === error.instancePath && error.schemaPath.startsWith(choice);
  });

const withNull = (error: ErrorObject): ErrorObject => ({ ...error, params: { ...error.params, type: [error.params.type, 'null'].flat() } });

/** Returns the faults that a caller needs to correct the request. */
export const selectFaults = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors
    .filter((e) => !UNTOLD.has(e.keyword) && ![isLaterChoice, isNullBesideValue, isToldBetter].some((judge) => judge(e, errors)))
    .map((e) => (takesNullToo(e, errors) ? withNull(e) : e));
