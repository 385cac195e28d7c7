import type { Received } from '../sandbox.ts';

/** The bodies that the sandbox receiver got at one path, oldest first. */
export const readReceived = async (sandboxOrigin: string, path: string): Promise<readonly string[]> => {
  const { requests } = (await (await fetch(`${sandboxOrigin}/requests`)).json()) as { readonly requests: readonly Received[] };
  return requests
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.stringify(body))
    .reverse();
};
