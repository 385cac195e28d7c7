import { nounEntries } from '@svc/contract/tables/nouns.ts';
import { isPathParameter, type PathParameter } from '@svc/contract/tables/path-parameters.ts';

/** Returns the path parameter with the same id as a member such as `credential_id` or `role_ids`; undefined if the member names no noun. */
export const findParameterNamed = (member: string): PathParameter | undefined => {
  const [noun] = /^\w+(?=_ids?$)/.exec(member) ?? [];
  const facts = nounEntries.find(([name]) => name === noun)?.[1];
  return Object.keys(facts?.parameters ?? {}).find(isPathParameter);
};
