import { request } from 'node:http';
import type { TestCallOptions } from './client.ts';

/** Sends a request from another address of this machine, such as 127.0.0.2, which `fetch` cannot select. */
export const sendCallFromAddress = (
  localAddress: string,
  base: string,
  method: string,
  path: string,
  { token, body }: Pick<TestCallOptions, 'token' | 'body'> = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<{ readonly status: number; readonly json: any }> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const outgoing = request(`${base}${path}`, { method, localAddress, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, json: text === '' ? undefined : JSON.parse(text) }));
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
