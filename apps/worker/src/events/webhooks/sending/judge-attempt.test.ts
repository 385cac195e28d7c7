import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { judgeAttempt } from './judge-attempt.ts';

const { excerptCharsMax } = LIMITS.webhooks;
const getExcerpt = (body: string) => judgeAttempt({ kind: 'answered', status: 200, headers: {}, body, bytes: 1, duration_ms: 1 }).excerpt;

test('the stored part of a response is whole characters, wherever it is cut', () => {
  for (const before of [excerptCharsMax - 2, excerptCharsMax - 1, excerptCharsMax]) {
    const excerpt = getExcerpt(`${'a'.repeat(before)}😀b`) ?? '';
    assert.ok(excerpt.isWellFormed() && excerpt.length <= excerptCharsMax, `after ${before}`);
  }
});
