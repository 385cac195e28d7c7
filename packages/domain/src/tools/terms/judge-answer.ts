import type { Expectation } from '@svc/contract/actions/decisions.ts';
import { readPointer } from '../json-pointer.ts';
import type { Expectations } from './call-terms.ts';
import { keepParts } from './keep-parts.ts';
import { isSuccess } from './statuses.ts';

/** An answer as far as expectations read it. */
export type JudgedAnswer = {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly bytes: number;
};

/** An unmet expectation; the reason is a sentence that shows nothing of the response but its status, size and type. */
export type Unexpected = { readonly expectation: Expectation; readonly reason: string };

const TYPE = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/;

const getType = (contentType: string | undefined): string => (contentType?.split(';', 1)[0] ?? '').trim().toLowerCase();

const isAccepted = (accepted: readonly string[], type: string): boolean =>
  accepted.some((each) => each === type || (each.endsWith('/*') && type.startsWith(each.slice(0, -1))));

/** Checks the head of a response before its body is read. An empty response has no type to be wrong. */
export const judgeHead = (expects: Expectations, { status, contentType, bytes }: JudgedAnswer): Unexpected | undefined => {
  if (!isSuccess(expects, status))
    return {
      expectation: 'STATUS',
      reason: `The destination returned ${status}${expects.saysStatuses ? ', which the tool declares as a failure' : ''}.`,
    };
  if (expects.content_types === null || bytes === 0) return undefined;
  const type = getType(contentType);
  if (isAccepted(expects.content_types, type)) return undefined;
  const told = TYPE.test(type) ? type : 'no valid content type';
  return { expectation: 'CONTENT_TYPE', reason: `The destination returned ${told}, which the tool does not accept.` };
};

const isSomething = (value: unknown): boolean => {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value === 'object' ? Object.keys(value).length > 0 : true;
};

export type KeptBody = {
  /** The kept part. */
  readonly value: unknown;
  readonly kept?: readonly string[];
  readonly unexpected?: Unexpected;
};

const failsAt = ({ conditions }: Expectations, value: unknown): Unexpected | undefined => {
  for (const { pointer, tokens, ...condition } of conditions) {
    const found = readPointer(value, tokens);
    if ('equals' in condition ? found === condition.equals : isSomething(found))
      return { expectation: 'BODY', reason: `The response indicates in ${pointer} that the call failed.` };
  }
  return undefined;
};

/** Returns true if the body must be read to know what to keep. */
export const readsBody = (expects: Expectations | null): expects is Expectations =>
  expects !== null && (expects.keep !== null || expects.conditions.length > 0);

/** Returns the kept part of a JSON body, and its unmet expectation. */
export const judgeBody = (expects: Expectations, value: unknown): KeptBody => {
  const unexpected = failsAt(expects, value);
  const { keep } = expects;
  const failed = unexpected === undefined ? {} : { unexpected };
  if (keep === null) return { value, ...failed };
  const parts = keepParts(
    value,
    keep.map(({ tokens }) => tokens),
  );
  return { value: parts.value, kept: parts.found.map((index) => keep[index]?.pointer ?? ''), ...failed };
};

/**
 * The result for a response that is not JSON: nothing is kept if parts are requested, and a failure check that cannot run counts as failed.
 */
export const UNREADABLE: KeptBody = {
  value: null,
  kept: [],
  unexpected: { expectation: 'BODY', reason: 'The response is not valid JSON, and the tool reads parts of it.' },
};
