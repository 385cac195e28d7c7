import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { isMembers, readMembers } from '../draft/reading.ts';
import { type Merge, type Merging, mergeMembers, mergeValue } from './three-way.ts';

const WHOLE = ['method', 'url', 'graphql'] as const;

/** Fields of a form by their names; any other body as one. */
const mergeBody: Merge = (ways, at, on) => {
  const { made, taken, said } = ways;
  return isMembers(made) && isMembers(taken) && isMembers(said) ? mergeMembers({ made, taken, said }, at, on) : mergeValue(ways, at, on);
};

const mergeQuery: Merge = ({ made, taken, said }, at, on) => {
  const merged = mergeMembers({ made: readMembers(made), taken: readMembers(taken), said: readMembers(said) }, at, on);
  return Object.keys(merged).length === 0 ? undefined : merged;
};

/** Names of headers are the same however they are written; people's spelling stays. */
const mergeHeaders: Merge = ({ made, taken, said }, at, on) => {
  const spelling = new Map<string, string>();
  const lowered = (headers: unknown): JsonObject =>
    Object.fromEntries(
      Object.entries(readMembers(headers)).map(([name, value]) => {
        const plain = name.toLowerCase();
        if (!spelling.has(plain)) spelling.set(plain, name);
        return [plain, value];
      }),
    );
  const merged = mergeMembers({ made: lowered(made), taken: lowered(taken), said: lowered(said) }, at, on);
  const entries = Object.entries(merged).map(([plain, value]) => [spelling.get(plain) ?? plain, value] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/**
 * Merges the call of a tool that people and a document changed. Members that a document never states, such as the credential, are people's.
 */
export const mergeExecution = (
  made: ToolExecution | null,
  taken: ToolExecution,
  said: ToolExecution,
  at: string,
  on: Merging,
): ToolExecution | null => {
  if (made === null) return mergeValue({ made, taken, said }, at, on) as ToolExecution | null;
  const merged: Record<string, unknown> = { ...made };
  const put = (member: keyof ToolExecution, merge: Merge): void => {
    const value = merge({ made: made[member], taken: taken[member], said: said[member] }, `${at}/${member}`, on);
    if (value === undefined) delete merged[member];
    else merged[member] = value;
  };
  for (const member of WHOLE) put(member, mergeValue);
  put('headers', mergeHeaders);
  put('query', mergeQuery);
  put('body', mergeBody);
  return merged as ToolExecution;
};
