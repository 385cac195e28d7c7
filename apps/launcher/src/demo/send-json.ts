import { failedWith } from '@svc/database-server/system/system-error.ts';
import { StoryFault } from '../faults/story-fault.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Whatever came back. */
export type Answer = { readonly status: number; readonly json: unknown };

/** One request with JSON both ways. Throws a StoryFault when nobody answers. */
export const sendJson = async (url: string, method: Method, token: string | undefined, body: object | undefined): Promise<Answer> => {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: await response.json() };
  } catch (error) {
    const cause = error instanceof TypeError ? error.cause : error;
    if (!failedWith(cause, 'ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET')) throw error;
    throw new StoryFault(`${new URL(url).origin} does not answer any more: see that the service runs, and begin again.`);
  }
};
