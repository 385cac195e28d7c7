import type { KeyObject } from 'node:crypto';
import type { AccessDecision } from '@svc/contract/actions/access.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { textDigest } from '@svc/keyring/bytes/text-digest.ts';
import { readCursor, signCursor } from '@svc/keyring/tokens/signed-cursor.ts';
import type { AccessCall } from './decide-access.ts';

const { searchMax, searchMs } = LIMITS.access;

type SearchBody = { readonly page?: { readonly token?: string; readonly limit?: number } };

export type SearchPage = { readonly after: string | undefined; readonly limit: number; readonly view: string };

/** Identifies a search for its page tokens: its parameters and what the caller may see. A token of another search is refused. */
const getView = ({ caller, scope }: AccessCall, { page: _, ...parameters }: SearchBody): string =>
  textDigest(JSON.stringify([caller.organizationId, scope.environment_id ?? null, scope.workspace_ids?.toSorted() ?? null, parameters]));

export const readSearchPage = (call: AccessCall, key: KeyObject, body: SearchBody): SearchPage | Refusal<'VALIDATION_FAILED'> => {
  const { token, limit = searchMax } = body.page ?? {};
  const view = getView(call, body);
  if (token === undefined || token === '') return { after: undefined, limit, view };
  const carried = readCursor(key, token);
  if (typeof carried?.after === 'string' && carried.view === view) return { after: carried.after, limit, view };
  const message = 'Was issued for another search. Start again without a token.';
  return buildRefusal('VALIDATION_FAILED', 'The page is not valid.', { faults: [{ pointer: '/page/token', message }] });
};

type Candidate<Result> = { readonly key: string; readonly result: Result };

type Search<Result, R extends Refusal> = {
  readonly page: SearchPage;
  /** Candidates after `page.after`, in the order of their keys. One more than is examined shows that there are others. */
  readonly candidates: readonly Candidate<Result>[];
  readonly decide: (candidate: Candidate<Result>) => Promise<AccessDecision | R>;
  readonly cursorKey: KeyObject;
};

/** Decides candidates in order until the page is full, the maximum per page was examined, or the time is used up. */
export const searchPage = async <Result, R extends Refusal>({
  page,
  candidates,
  decide,
  cursorKey,
}: Search<Result, R>): Promise<{ results: Result[]; page: { next_token: string; count: number } } | R> => {
  const endsAt = performance.now() + searchMs;
  const results: Result[] = [];
  let last: string | undefined;
  for (const candidate of candidates.slice(0, searchMax)) {
    if (results.length >= page.limit || (last !== undefined && performance.now() > endsAt)) break;
    const answered = await decide(candidate);
    if (isRefusal(answered)) return answered;
    if (answered.decision) results.push(candidate.result);
    last = candidate.key;
  }
  const isLast = candidates.length === 0 || candidates.at(-1)?.key === last;
  const next_token = isLast || last === undefined ? '' : signCursor(cursorKey, { after: last, view: page.view });
  return { results, page: { next_token, count: results.length } };
};
