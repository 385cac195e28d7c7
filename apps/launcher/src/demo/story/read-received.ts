import type { Whereabouts } from '../../data-folder/run-claim.ts';
import type { Received } from '../../sandbox/sandbox.ts';

/** The bodies that the sandbox receiver got at one path, oldest first. */
export const readReceived = async ({ sandboxOrigin, sandboxKey }: Whereabouts, path: string): Promise<readonly string[]> => {
  const answer = await fetch(`${sandboxOrigin}/requests`, { headers: { authorization: `Bearer ${sandboxKey}` } });
  const { requests } = (await answer.json()) as { readonly requests: readonly Received[] };
  return requests
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.stringify(body))
    .reverse();
};
