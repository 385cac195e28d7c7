import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type ReadingTimes, readInWorkerProcess } from './read-aside.ts';

const { readingMs, readingProcessorMs } = LIMITS.toolImports;
const options = { source: 'shop' };

const newDocument = (operations: number): string => {
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field_${n}`, { type: 'string' }]));
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const paths = Object.fromEntries(Array.from({ length: operations }, (_, n) => [`/p${n}`, { post: { requestBody: { content } } }]));
  return JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://a.example' }], paths });
};

/** Takes some hundreds of milliseconds to parse. */
const LARGE = newDocument(500);
/** Takes several times as long to read as a process takes to start. */
const SLOW = newDocument(2_000);

const read = (text: string, times: Partial<ReadingTimes> = {}) =>
  readInWorkerProcess([Buffer.from(text)], options, { readingMs, readingProcessorMs, ...times });

const BUSY = { busy: 'The service is too busy to read the document. Nothing was changed; send it again.' };

describe('the time limit for reading a document', () => {
  test('is the processor time that the document takes, and the error names it', async () => {
    const answer = await read(LARGE, { readingProcessorMs: 1, readingMs: 60_000 });
    assert.deepEqual(answer, { fault: 'The document took more than 0.001 seconds of processor time. Send a smaller part of it.' });
  });

  test('does not refuse a valid document on a busy machine: the response states that the service is busy', async () => {
    const answer = await read(LARGE, { readingMs: 1 });
    assert.deepEqual(answer, BUSY);
  });

  test('also ends a slow start, and does not name the document as the reason', async () => {
    const beganAt = performance.now();
    await read(newDocument(1));
    assert.deepEqual(await read(SLOW, { readingMs: 1.5 * (performance.now() - beganAt) }), BUSY);
  });

  test('is enough for a large document', async () => {
    const answer = await read(LARGE, { readingMs: 60_000 });
    assert.ok('document' in answer, JSON.stringify(answer));
  });
});
