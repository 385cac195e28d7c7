import type { ErrorObject } from 'ajv/dist/2020.js';

type Judge = (error: ErrorObject, errors: readonly ErrorObject[]) => boolean;

/** Their own parts say it better. */
const UNTOLD: ReadonlySet<string> = new Set(['anyOf', 'if']);

const beside = ({ instancePath }: ErrorObject, errors: readonly ErrorObject[], keyword: string): boolean =>
  errors.some((e) => e.keyword === keyword && e.instancePath === instancePath);

/** Where one of several members is required, the first is asked for, and not each as if all of them were needed. */
const isLaterChoice: Judge = ({ keyword, schemaPath, instancePath }, errors) => {
  const first =
    keyword === 'required' && /\/anyOf\/[1-9]\d*\/required$/.test(schemaPath) && schemaPath.replace(/(?<!\d)\d+\/required$/, '0/required');
  return first !== false && errors.some((e) => e.schemaPath === first && e.instancePath === instancePath);
};

/** The choice of whose kinds null is one; undefined for whatever asks for something else. */
const nullOf = ({ keyword, params, schemaPath }: ErrorObject): string | undefined =>
  keyword === 'type' && params.type === 'null' ? /^(.*\/anyOf\/)\d+\/type$/.exec(schemaPath)?.[1] : undefined;

const isOfChoice = (error: ErrorObject, choice: string, instancePath: string): boolean =>
  error.schemaPath.startsWith(choice) && (error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`));

/** Somebody who sent a value that may be null instead is told what is wrong with it. */
const isNullBesideValue: Judge = (error, errors) => {
  const choice = nullOf(error);
  return choice !== undefined && errors.some((e) => e !== error && isOfChoice(e, choice, error.instancePath));
};

/** One place is told once: by its length where that makes the form meaningless, by its form where nothing was sent, by the one value that fits. */
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

/** Of all that a schema found wrong, what somebody who corrects it has to know. */
export const worthTelling = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors
    .filter((e) => !UNTOLD.has(e.keyword) && ![isLaterChoice, isNullBesideValue, isToldBetter].some((judge) => judge(e, errors)))
    .map((e) => (takesNullToo(e, errors) ? withNull(e) : e));
