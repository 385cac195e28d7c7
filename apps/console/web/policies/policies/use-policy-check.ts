import { ServiceError } from '@svc/client/errors.ts';
import { useEffect, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client, type OperationBody } from '../../data/client.ts';
import type { Check } from './policy.ts';

const QUIET_MS = 400;

export type PolicyText = { readonly rules: readonly unknown[]; readonly tests: readonly unknown[] };

/** Reads the text of the editor; a sentence where it is not JSON or has no list of rules. */
export const readText = (text: string): PolicyText | string => {
  try {
    const read = JSON.parse(text) as { readonly rules?: unknown; readonly tests?: unknown };
    const { rules, tests = [] } = read ?? {};
    if (!Array.isArray(rules)) return 'The text needs a list "rules".';
    return Array.isArray(tests) ? { rules, tests } : 'The tests need to be a list.';
  } catch (error) {
    if (error instanceof SyntaxError) return `The text is not JSON: ${error.message}`;
    throw error;
  }
};

export type Checked = { readonly check?: Check; readonly error?: ApiError; readonly fault?: string; readonly isStale: boolean };

type Options = { readonly policyId: string; readonly currency: string | undefined; readonly days: number; readonly isEnabled: boolean };

/** Checks the text a moment after the last key, without saving it. The last result stays, marked as stale, until the next one is there. */
export const usePolicyCheck = (text: string, { policyId, currency, days, isEnabled }: Options): Checked => {
  const [checked, setChecked] = useState<Checked>({ isStale: true });
  useEffect(() => {
    const read = readText(text);
    if (typeof read === 'string') {
      setChecked((before) => ({ ...(before.check === undefined ? {} : { check: before.check }), fault: read, isStale: true }));
      return;
    }
    setChecked((before) => ({ ...before, isStale: true }));
    if (!isEnabled) return;
    const cancel = new AbortController();
    const timer = setTimeout(async () => {
      const body = { ...read, policy_id: policyId, days, ...(currency === undefined ? {} : { currency }) } as OperationBody<'checkPolicy'>;
      const [sent] = await Promise.allSettled([client.request('checkPolicy', { body, signal: cancel.signal })]);
      if (cancel.signal.aborted) return;
      if (sent.status === 'rejected') throw sent.reason;
      const answer = sent.value;
      if (answer.ok) setChecked({ check: answer.body, isStale: false });
      else if (answer.error instanceof ServiceError) setChecked({ error: answer.error, isStale: false });
    }, QUIET_MS);
    return () => {
      cancel.abort();
      clearTimeout(timer);
    };
  }, [text, policyId, currency, days, isEnabled]);
  return checked;
};
