import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode, getDocsUrl } from '@svc/contract/tables/errors.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
import type pg from 'pg';

/** Asserts that a text is a complete sentence, since pages may show it alone. */
const assertSentence = (text: string, what: string): void => {
  assert.doesNotMatch(text, /^(must|may|is|are|was|has|have|cannot|does|did|means?|names?|holds?|belongs|stays|says|makes?) /, what);
  assert.match(text, /[.?!…]$/, what);
};

/**
 * Asserts the standard format of a refusal: a code of the table with its status, remedy and address, a sentence, and the ids that are also
 * in headers.
 */
export const assertRefused = (answer: TestResponse, codes: ErrorCode | readonly ErrorCode[], what: string): void => {
  const shown = `${what}: ${answer.status} ${answer.text.slice(0, 400)}`;
  const { code, message, remedy, docs_url, request_id, details, ...rest } = answer.json?.error ?? {};
  assert.ok([codes].flat().includes(code), shown);
  assert.equal(answer.status, ERRORS[code as ErrorCode].status, shown);
  assert.ok(typeof message === 'string' && message.length > 0, shown);
  assert.deepEqual([remedy, docs_url], [ERRORS[code as ErrorCode].remedy, getDocsUrl(code)], shown);
  assert.ok(details === undefined || typeof details === 'object', shown);
  for (const told of [{ message }, ...(details?.faults ?? [])]) assertSentence(told.message, shown);
  assert.deepEqual(rest, {}, shown);
  assert.deepEqual(Object.keys(answer.json), ['error'], shown);
  assert.match(request_id, /^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/, shown);
  assert.equal(answer.headers.get('x-request-id'), request_id, shown);
  assert.match(answer.headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/, shown);
};

/** Asserts a refusal that points at a member of the body or the query. */
export const assertAssertFault = (answer: TestResponse, pointer: string, what: string, code: ErrorCode = 'VALIDATION_FAILED'): void => {
  assertRefused(answer, code, what);
  const pointers: string[] = (answer.json.error.details?.faults ?? []).map((fault: { pointer: string }) => fault.pointer);
  assert.ok(
    pointers.some((each) => each === pointer || each.startsWith(`${pointer}/`)),
    `${what}: points at ${pointers.join(', ') || 'nothing'} and not at ${pointer}`,
  );
};

/** Runs requests that must be refused, and asserts that the database is unchanged. */
export const assertStoresNothing = async (owner: pg.Client, work: () => Promise<void>): Promise<void> => {
  const before = await readTables(owner);
  await work();
  assert.deepEqual(await readTables(owner), before);
};

/** Removes what makes two equal responses differ. */
export const normalizeResponse = ({ text, json }: TestResponse): string => text.replaceAll(json?.error?.request_id ?? ' ', 'req');
